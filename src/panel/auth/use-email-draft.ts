import { useTranslations } from 'next-intl';
import { type ChangeEvent, useState } from 'react';
import type { Owner } from '#panel/drafts/kept.ts';
import { useDraftOf } from '#panel/drafts/use-draft.ts';

/**
 * The owner of drafts before the sign-in. Drafts of others are dropped at the next sign-in
 * (panel-frame.tsx).
 */
const VISITOR: Owner = { accountId: '', email: '' };

/**
 * The e-mail that is typed on a page before the sign-in, and the props of its field. It is kept
 * over a reload and from one of these pages to the next, until `clear`. Nothing else of them is
 * kept.
 */
export function useEmailDraft() {
  const t = useTranslations('auth');
  const [email, setEmail] = useState('');
  const { clear } = useDraftOf(VISITOR, 'sign-in', { email }, (kept) => setEmail(kept.email ?? ''));
  const input = {
    label: t('email'),
    name: 'email',
    type: 'email',
    autoComplete: 'username',
    required: true,
    value: email,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setEmail(event.currentTarget.value),
  };
  return { email, input, clear };
}
