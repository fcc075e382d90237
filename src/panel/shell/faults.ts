import { useTranslations } from 'next-intl';

type Fault = {
  data?: { reason?: string | null; fields?: { field: string; message: string }[]; facts?: Record<string, string> };
};

/** Which of our errors an error of a call is; null for one that never reached the server, or that is not ours. */
export const reasonOf = (error: unknown): string | null => (error as Fault | null)?.data?.reason ?? null;

/** Further facts of a refusal, e.g. until when. */
export const factsOf = (error: unknown): Record<string, string> => (error as Fault | null)?.data?.facts ?? {};

/** The faults of an input by its fields, for a form's `setErrors`. */
export const fieldFaults = (error: unknown): Record<string, string> =>
  Object.fromEntries(((error as Fault | null)?.data?.fields ?? []).map(({ field, message }) => [field, message]));

/** What to say about an error, in the reader's language. */
export function useFaultText(): (error: unknown) => string {
  const t = useTranslations('errors');
  return (error) => {
    const reason = reasonOf(error);
    if (reason === null) return t(isOffline() ? 'offline' : (error as Fault | null)?.data ? 'internal' : 'unreachable');
    // A refusal that this page's texts don't know yet still has to say something.
    return t.has(reason as 'internal') ? t(reason as 'internal') : t('internal');
  };
}

const isOffline = () => typeof navigator !== 'undefined' && !navigator.onLine;
