import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useConnection } from '#panel/connection/use-connection.ts';
import { isMissing, reasonOf, useErrorText } from './call-error.ts';
import { Waiting } from './waiting.tsx';

type Query<T> = {
  data: T | undefined;
  error: unknown;
  isFetching: boolean;
  refetch(): unknown;
};

/**
 * Shows one thing that a page reads: a skeleton while it comes, why it did not come with a button
 * to ask again, that there is nothing at the page's address, `empty` where there is none of it yet,
 * or the thing. What was read before stays on the page when reading it again fails.
 */
export function QueryState<T>(props: {
  query: Query<T>;
  /** The skeleton as it is drawn, or the heights of its parts, in pixels. */
  skeleton: ReactNode | readonly number[];
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, skeleton, isEmpty, empty, children } = props;
  const t = useTranslations('panel.shell');
  const tErrors = useTranslations('errors');
  const textOf = useErrorText();
  const { isReachable, isOnline } = useConnection();
  if (query.data !== undefined) {
    if (isEmpty?.(query.data)) return <>{empty}</>;
    return <>{children(query.data)}</>;
  }
  if (isReachable && isMissing(query.error)) {
    const isNoName = reasonOf(query.error) === 'invalid_input';
    return (
      <Alert color="yellow" variant="light" role="alert" title={isNoName ? tErrors('not_found') : textOf(query.error)}>
        <Text fz="sm">{t('missing')}</Text>
      </Alert>
    );
  }
  if (query.error || !isReachable) {
    const title = isReachable ? 'failed' : isOnline ? 'away' : 'offline';
    return (
      <Alert color={isReachable ? 'red' : 'yellow'} variant="light" role="alert" title={t(title)}>
        <Stack gap="xs" align="flex-start">
          <Text fz="sm">{isReachable ? textOf(query.error) : t('offlineText')}</Text>
          <Button size="xs" variant="default" loading={query.isFetching} onClick={() => query.refetch()}>
            {t('retry')}
          </Button>
        </Stack>
      </Alert>
    );
  }
  return (
    <div role="status" aria-label={t('loading')}>
      {Array.isArray(skeleton) ? <Waiting heights={skeleton} /> : (skeleton as ReactNode)}
    </div>
  );
}
