import { type RefObject, useEffect, useRef } from 'react';

/**
 * Puts the cursor where typing begins, for whoever has a keyboard: on a phone it would only open
 * one over the page. Give the ref to what holds the field; the first text field in it is taken.
 */
export function useFirstField<T extends HTMLElement>(): RefObject<T | null> {
  const holder = useRef<T>(null);
  useEffect(() => {
    if (!window.matchMedia('(pointer: fine)').matches) return;
    holder.current?.querySelector<HTMLInputElement>('input:not([type="radio"])')?.focus({ preventScroll: true });
  }, []);
  return holder;
}
