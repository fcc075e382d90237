import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { AuthAnswer, AuthError } from './auth-call.ts';

/**
 * The state of a call to the sign-in: whether it is under way, and why it was rejected (`text`, in
 * the reader's language).
 */
export function useAuthCall() {
  const t = useTranslations('auth.errors');
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<AuthError | null>(null);
  const textOf = ({ error, params }: AuthError): string => {
    if (error === 'too_many_attempts') {
      return t('too_many_attempts', { minutes: Math.max(1, Math.ceil(Number(params.seconds ?? 60) / 60)) });
    }
    const why = `password_${params.why}` as 'password_short';
    if (error === 'weak_password' && t.has(why)) return t(why);
    return t.has(error as 'other') ? t(error as 'other') : t('other');
  };
  return {
    isPending,
    error,
    text: error && textOf(error),
    setError,
    /**
     * Returns the answer's data; null where it was rejected. `leaves`: after a success the page is
     * left, so the call stays pending.
     */
    async run(call: Promise<AuthAnswer>, { leaves = false } = {}): Promise<Record<string, unknown> | null> {
      setPending(true);
      setError(null);
      const answer = await call;
      if (!answer.ok || !leaves) setPending(false);
      if (answer.ok) return answer.data;
      setError(answer);
      return null;
    },
  };
}
