import { useLocale } from 'next-intl';
import { useEffect, useRef } from 'react';
import { usePanel } from '#panel/shell/use-panel.ts';
import { dropKept, keep, type Owner, readKept } from './kept.ts';

type Field = string | number | boolean | null | readonly (string | number | boolean)[];

/**
 * Keeps what is typed into a form in this tab until `clear`, so that it survives a reload, a page
 * that was left, and an error. `values` are all fields of the form, flat and without secrets.
 * `restore` is called once, after the first render, with the kept fields that the form still has.
 * It has to check each value as if it was typed, because a draft may be of an older version.
 */
export function useDraft<T extends { [K in keyof T]: Field }>(
  name: string,
  values: T,
  restore: (kept: Partial<T>) => void,
): { clear(): void } {
  return useDraftOf(useOwner(), name, values, restore);
}

/** Like `useDraft`, for an owner who is given: on pages before the sign-in. */
export function useDraftOf<T extends { [K in keyof T]: Field }>(
  owner: Owner,
  name: string,
  values: T,
  restore: (kept: Partial<T>) => void,
): { clear(): void } {
  const place = usePlace(name);
  const text = JSON.stringify(values);
  // Values with nothing to lose: the form as it came, and as it was submitted.
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

/** Returns the owner of this page's drafts. */
export function useOwner(): Owner {
  const { me } = usePanel();
  return { accountId: me.account_id, email: me.email };
}

/** Returns the function that drops a form's draft, for the page that comes after the form. */
export function useDropDraft(name: string): () => void {
  const owner = useOwner();
  const place = usePlace(name);
  return () => dropKept(owner, place);
}

/** The key of a draft, with the language: `1.500` is another amount in another one. */
const usePlace = (name: string): string => `draft ${useLocale()} ${name}`;

/** Returns the kept fields that the form still has, as long as their values can be fields. */
export function fieldsOf<T extends object>(values: T, kept: unknown): Partial<T> {
  if (typeof kept !== 'object' || kept === null) return {};
  const isPlain = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
  // A field that holds a text must not get a number, which an older version may have kept.
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
