import { useTranslations } from 'next-intl';

/**
 * Returns the words for a code of the service: a kind of background task, what an e-mail is about,
 * the outcome of a callback, what REST requests are about. The code itself, where the page is older
 * than the service and does not know it.
 */
export function useCodeName(): (of: 'tasks' | 'mails' | 'outcomes' | 'families', code: string) => string {
  const t = useTranslations('operator.names');
  return (of, code) => {
    const key = `${of}.${code}` as 'tasks.payout';
    return t.has(key) ? t(key) : code;
  };
}
