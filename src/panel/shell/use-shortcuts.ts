import { useHotkeys } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { PAGE_NEEDS } from '#contract/members/page-needs.ts';
import { SHORTCUTS } from './navigation.ts';
import { usePanel } from './use-panel.ts';

/** The second key of a pair has to come within this time. */
const PAIR_MS = 1_200;

type Props = {
  onSearch(): void;
  onHelp(): void;
  /** Whether the palette is wanted; its code may be on its way. */
  isSearching: boolean;
  /** Takes a key that was pressed before the palette's field had the focus. */
  onType(key: string): void;
};

/**
 * Handles the shortcuts of every page; those without Ctrl only while nothing is typed and no dialog
 * is open. What is typed after Ctrl-K is for the palette, also while its code is on its way.
 */
export function useShortcuts(on: Props): void {
  const router = useRouter();
  const { mode, me } = usePanel();
  const first = useRef<{ key: string; at: number } | null>(null);
  useHotkeys([['mod+K', on.onSearch]], []);
  useEffect(() => {
    const may = (name: string) => me.may.includes(name);
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (on.isSearching && TYPED.test(event.key) && !isPalette(event.target)) {
        event.preventDefault();
        return on.onType(event.key);
      }
      if (isBusy(event.target)) return;
      const before = first.current && event.timeStamp - first.current.at < PAIR_MS ? `${first.current.key} ` : '';
      first.current = event.key === 'g' && !before ? { key: 'g', at: event.timeStamp } : null;
      const shortcut = SHORTCUTS.find(({ keys, path }) => keys === before + event.key && may(PAGE_NEEDS[path]));
      if (shortcut) {
        event.preventDefault();
        router.push(`/${mode}${shortcut.path}`);
      } else if (event.key === '?') {
        event.preventDefault();
        on.onHelp();
      } else if (event.key === '/' && focusSearchField()) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [mode, me, router, on]);
}

/** One character, or a key that would act on what has the focus below the palette. */
const TYPED = /^(.|Backspace|Enter)$/u;

/** `CommandPalette` marks its field. */
const isPalette = (target: EventTarget | null) => target instanceof Element && target.matches('[data-palette]');

const isBusy = (target: EventTarget | null) =>
  (target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))) ||
  document.querySelector('[role="dialog"]') !== null;

/**
 * Focuses the list's own search field, which is marked with `data-search`; returns whether there is
 * one.
 */
function focusSearchField(): boolean {
  const field = document.querySelector<HTMLInputElement>('input[data-search]');
  field?.focus();
  field?.select();
  return field !== null;
}
