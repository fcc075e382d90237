import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';

/** Long enough to be seen after a glance at another app, short enough to copy again. */
const COPIED_SHOWN_MS = 4_000;

export type CopyOutcome = 'copied' | 'selected' | null;

/** The outcome of the newest copy, for a moment, and the act itself: `text` as `shown` shows it. */
export function useCopy() {
  const [outcome, setOutcome] = useState<CopyOutcome>(null);

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
