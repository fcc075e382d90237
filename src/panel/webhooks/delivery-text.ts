import { useTranslations } from 'next-intl';
import type { ListedDelivery } from '#contract/webhooks/webhooks.ts';

type Attempt = NonNullable<ListedDelivery['last_attempt']>;

/** Returns the name of an event; a type that the texts don't know yet is its own name. */
export function useEventName(): (type: string) => string {
  const t = useTranslations('panel.webhooks.types');
  return (type) => {
    // Keys of texts have no points.
    const key = type.replace('.', '_') as 'pix_in_paid';
    return t.has(key) ? t(key) : type;
  };
}

/** Returns the receiver's answer as a text, or why there was none. */
export function useAnswerText(): (attempt: Attempt) => string {
  const t = useTranslations('panel.webhooks.answers');
  return ({ status_code: status, error }) => {
    if (status !== null) return String(status);
    const key = (error ?? 'connection') as 'timeout';
    return t.has(key) ? t(key) : t('connection');
  };
}

/** Whether a receiver's answer means that it has the event (2xx). */
export const isTaken = ({ status_code: status }: Attempt): boolean => status !== null && status >= 200 && status < 300;
