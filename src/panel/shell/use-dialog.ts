import { useEffect, useId, useState, useSyncExternalStore } from 'react';

/** The dialogs that are open, the topmost last. */
let open: readonly string[] = [];
const listeners = new Set<() => void>();

function setOpen(next: readonly string[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The controls that opened dialogs, the last one last; only the newest can still be of use. */
const openers: HTMLElement[] = [];
const OPENERS_MAX = 8;

/**
 * Follows a dialog while it is open; when it closes, the focus goes back to the control that opened
 * it. Returns whether no other dialog is above it: only that one may close on Escape, which each of
 * Mantine's dialogs would take for itself, the lowest first.
 */
export function useDialog(isOpen = true): boolean {
  const id = useId();
  const [opened, setOpened] = useState<{ by: HTMLElement | null } | null>(null);
  // While it is drawn, because an effect may run after its own field has taken the focus.
  if (isOpen !== (opened !== null)) setOpened(isOpen ? { by: findOpener() } : null);
  useEffect(() => {
    if (!opened) return;
    const { by } = opened;
    if (by) openers.splice(0, openers.length, ...openers.slice(1 - OPENERS_MAX), by);
    setOpen([...open, id]);
    return () => {
      setOpen(open.filter((other) => other !== id));
      giveBack(by);
      keepFocus();
    };
  }, [id, opened]);
  return useSyncExternalStore(
    subscribe,
    () => open.length === 0 || open.at(-1) === id,
    () => true,
  );
}

/**
 * The control that has the focus; of a menu, whose entries are about to go, its button. A menu is
 * closed before a dialog comes that has to be loaded.
 */
function findOpener(): HTMLElement | null {
  // A dialog that its address opens is drawn on the server first.
  if (typeof document === 'undefined') return null;
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return menuButton;
  return buttonOfMenu(focused) ?? focused;
}

function buttonOfMenu(entry: HTMLElement): HTMLElement | null {
  const button = entry.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return button ? document.getElementById(button) : null;
}

/** Of the menu that had the focus last, if nothing else has had it since. */
let menuButton: HTMLElement | null = null;
if (typeof document !== 'undefined') {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target !== menuButton) menuButton = buttonOfMenu(target);
  });
}

/**
 * Moves the focus to the control that opened a dialog, unless something else has taken it. Where
 * that control is gone, as one of a dialog that has closed too: to the one before it. A dialog that
 * the address opened has none: to the page, or the Tab key would begin behind all of it.
 */
function giveBack(opener: HTMLElement | null): void {
  const focused = document.activeElement;
  const isInClosed = open.length === 0 && focused?.closest('[role="dialog"]');
  if (!isFocusLost() && !isInClosed) return;
  const present = opener && [...openers, opener].findLast((one) => one.isConnected);
  (present ?? content())?.focus({ preventScroll: true });
}

/**
 * Moves the focus to the page where what has it goes before the next key or press: a dialog that
 * removes its own row closes before the list is read again, and a button can end its own.
 */
export function keepFocus(): void {
  let focused = document.activeElement;
  const observer = new MutationObserver(() => {
    if (!isFocusLost()) focused = document.activeElement;
    else if (focused?.isConnected === false) content()?.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  const end = () => {
    observer.disconnect();
    for (const event of INPUTS) document.removeEventListener(event, end, true);
  };
  for (const event of INPUTS) document.addEventListener(event, end, true);
}

const INPUTS = ['keydown', 'pointerdown'] as const;
const isFocusLost = () => document.activeElement === null || document.activeElement === document.body;
const content = () => document.getElementById('content');
