import { Anchor } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Link } from '#panel/link.tsx';
import { Page } from '#panel/shell/page.tsx';
import { Icon } from '../shell/icon.tsx';
import { TransactionDetail } from './transaction-detail.tsx';
import { useFilters } from './use-filters.ts';

/** A transaction on a page of its own, for screens without room for a drawer. */
export function TransactionDetailPage({ id }: { id: string }) {
  const t = useTranslations('panel.transactions');
  const { addressOf } = useFilters();
  const back = (
    <Anchor component={Link} href={addressOf(null)} fz="sm">
      <Icon of={IconChevronLeft} size={12} /> {t('title')}
    </Anchor>
  );
  return (
    <Page title={t('detail.title')} description={back}>
      <TransactionDetail id={id} order={2} />
    </Page>
  );
}
