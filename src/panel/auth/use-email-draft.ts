import { useTranslations } from 'next-intl';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
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
  const field = useRef<HTMLInputElement>(null);
  // What was typed, or filled in by the browser, before the scripts of the page had arrived: the
  // next change would empty the field. After what was kept, because it is newer.
  useEffect(() => {
    const typed = field.current?.value;
    if (typed) setEmail(typed);
  }, []);
  const input = {
    ref: field,
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
