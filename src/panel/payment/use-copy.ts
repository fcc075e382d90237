import { useEffect, useState } from 'react';

/** Long enough to be seen after a glance at another app, short enough to copy again. */
const COPIED_SHOWN_MS = 4_000;

/**
 * Returns the outcome of the newest copy, for some seconds, and the function that copies `text`,
 * which the element `shown` shows.
 */
export function useCopy() {
  const [outcome, setOutcome] = useState<'copied' | 'selected' | null>(null);

  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), COPIED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async (text: string, shown: HTMLElement | null) => {
    setOutcome(null);
    if (shown) setOutcome(await copyText(text, shown));
  };
  return { outcome, copy };
}

/**
 * Puts `text` on the clipboard. Where the clipboard API is missing (a page served by plain http) or
 * rejects, the element that shows it is selected and the old command is tried. `selected`: that
 * failed too, and the reader has to press copy.
 */
async function copyText(text: string, shown: HTMLElement): Promise<'copied' | 'selected'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return copySelection(text, shown);
  }
}

function copySelection(text: string, shown: HTMLElement): 'copied' | 'selected' {
  const before = document.activeElement;
  select(shown);
  // The shown text may be formatted, with a decimal comma: a wallet gets the plain text.
  const write = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  };
  document.addEventListener('copy', write);
  const copied = document.execCommand('copy');
  document.removeEventListener('copy', write);
  if (copied && before instanceof HTMLElement) before.focus();
  return copied ? 'copied' : 'selected';
}

function select(shown: HTMLElement) {
  if (shown instanceof HTMLInputElement) {
    shown.focus();
    shown.setSelectionRange(0, shown.value.length);
  } else {
    getSelection()?.selectAllChildren(shown);
  }
}
