import { useTranslations } from 'next-intl';
import type { AuthAnswer } from './auth-call.ts';

/** What to say about a refusal of the sign-in. */
export function useAuthErrorText(): (answer: Extract<AuthAnswer, { ok: false }>) => string {
  const t = useTranslations('auth.errors');
  return ({ error, params }) => {
    if (error === 'too_many_attempts') {
      return t('too_many_attempts', { minutes: Math.max(1, Math.ceil(Number(params.seconds ?? 60) / 60)) });
    }
    const why = `password_${params.why}` as 'password_short';
    if (error === 'weak_password' && t.has(why)) return t(why);
    return t.has(error as 'other') ? t(error as 'other') : t('other');
  };
}
