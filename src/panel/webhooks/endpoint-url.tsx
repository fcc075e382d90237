import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { TEST_RECEIVER_URL } from '#domain/webhooks/test-receiver.ts';

/**
 * Where events go: a URL as it is, or the name of the built-in receiver, which has none that
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
