import { useState } from 'react';
import type { Owner } from '#panel/drafts/kept.ts';
import { useDraftOf } from '#panel/drafts/use-draft.ts';

/**
 * Nobody has signed in yet. As soon as somebody has, what is kept of others is dropped
 * (panel-frame.tsx).
 */
const VISITOR: Owner = { accountId: '', email: '' };

/**
 * The e-mail that is typed on a page before the sign-in: kept over a reload, and from one of these
 * pages to the next, until it was handed in. Nothing else of these pages is kept.
 */
export function useEmailDraft(): { email: string; setEmail(email: string): void; clear(): void } {
  const [email, setEmail] = useState('');
  const { clear } = useDraftOf(VISITOR, 'sign-in', { email }, (kept) => setEmail(kept.email ?? ''));
  return { email, setEmail, clear };
}
