import { useLocale } from 'next-intl';
import { useEffect, useRef } from 'react';
import { usePanel } from '#panel/shell/use-panel.ts';
import { dropKept, keep, type Owner, readKept } from './kept.ts';

type Field = string | number | boolean | null | readonly (string | number | boolean)[];

/**
 * Keeps what is typed into a form in this tab until `clear`, so that it survives a reload, a page
 * that was left, and an error. `values` are the form's, with every field and flat; secrets don't
 * belong into them. `restore` gets the fields that were kept and that the form still has: once,
 * after the first render. The form has to check each value as if it was typed, because a
 * draft may be of an older version.
 */
export function useDraft<T extends { [K in keyof T]: Field }>(
  name: string,
  values: T,
  restore: (kept: Partial<T>) => void,
): { clear(): void } {
  return useDraftOf(useOwner(), name, values, restore);
}

/** The same for an owner who is named: on pages before the sign-in. */
export function useDraftOf<T extends { [K in keyof T]: Field }>(
  owner: Owner,
  name: string,
  values: T,
  restore: (kept: Partial<T>) => void,
): { clear(): void } {
  const place = usePlace(name);
  const text = JSON.stringify(values);
  // What there is to lose nothing of: the form as it came, and as it was handed in.
  const untouched = useRef([text]);
  const newest = useRef(text);
  const isRead = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was kept is read once, what is typed is written when it changes.
  useEffect(() => {
    newest.current = text;
    if (!isRead.current) {
      isRead.current = true;
      const kept = fieldsOf(values, readKept(owner, place));
      if (Object.keys(kept).length > 0) return restore(kept);
    }
    if (untouched.current.includes(text)) dropKept(owner, place);
    else keep(owner, place, values);
  }, [text]);
  return {
    clear() {
      untouched.current.push(newest.current);
      dropKept(owner, place);
    },
  };
}

/** Whose drafts this page keeps. */
export function useOwner(): Owner {
  const { me } = usePanel();
  return { accountId: me.account_id, email: me.email };
}

/** Drops a form's draft from the page that comes after it. */
export function useDropDraft(name: string): () => void {
  const owner = useOwner();
  const place = usePlace(name);
  return () => dropKept(owner, place);
}

/** What was typed in one language is not read in another: `1.500` is another amount there. */
const usePlace = (name: string): string => `draft ${useLocale()} ${name}`;

/** Of what was kept: the fields that the form has, as long as they are fields at all. */
export function fieldsOf<T extends object>(values: T, kept: unknown): Partial<T> {
  if (typeof kept !== 'object' || kept === null) return {};
  const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
  // What reads a text must not be given a number, which an older version may have kept.
  const isText = (value: unknown) => typeof value === 'string';
  const fits = ([field, value]: [string, unknown]) =>
    Object.hasOwn(values, field) &&
    (Array.isArray(values[field as keyof T])
      ? Array.isArray(value) && value.every(isPlain)
      : isText(values[field as keyof T])
        ? isText(value)
        : isPlain(value));
  return Object.fromEntries(Object.entries(kept).filter(fits)) as Partial<T>;
}
