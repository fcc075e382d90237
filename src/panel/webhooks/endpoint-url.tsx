import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';

/**
 * The destination of events: its URL, or the name of the built-in receiver, which has no URL that
 * anybody could call.
 */
export function EndpointUrl({ url, className }: { url: string; className?: string | undefined }) {
  const t = useTranslations('panel.webhooks.receiver');
  if (url === TEST_RECEIVER_URL) {
    return (
      <Text span fz="sm">
        {t('name')}
      </Text>
    );
  }
  return <code className={className}>{url}</code>;
}
