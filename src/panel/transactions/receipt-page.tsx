'use client';

import { Anchor, Button, Group } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { Link } from '#panel/link.tsx';
import { Icon } from '#panel/shell/icons.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { Skeleton } from '#panel/skeleton.tsx';
import classes from './receipt.module.css';
import { Receipt } from './receipt.tsx';

/** A transaction's receipt on one sheet of A4; what is around it does not print. */
export function ReceiptPage({ id }: { id: string }) {
  const t = useTranslations('panel.transactions.receipt');
  const { href } = usePanel();
  const query = api.detail.get.useQuery({ transaction_id: id });
  return (
    <div className={classes.page}>
      <Group justify="space-between" className={classes.tools}>
        <Anchor component={Link} href={href(`/transacoes/${id}`)} fz="sm">
          <Icon name="left" size={12} /> {t('back')}
        </Anchor>
        <Button size="xs" leftSection={<Icon name="print" size={14} />} onClick={() => window.print()}>
          {t('print')}
        </Button>
      </Group>
      <QueryState query={query} skeleton={<Skeleton width="100%" height={480} />}>
        {(detail) => <Receipt detail={detail} />}
      </QueryState>
    </div>
  );
}
