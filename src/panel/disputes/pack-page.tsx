'use client';

import { Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { BackLink } from '#panel/shell/back-link.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { issuerOf } from '#panel/transactions/issuer-of.ts';
import classes from '#panel/transactions/receipt.module.css';
import { EvidencePack } from './evidence-pack.tsx';

/** The evidence pack of a contested payment, for printing; what is around it does not print. */
export function PackPage({ id }: { id: string }) {
  const t = useTranslations('panel.disputes.pack');
  const { href } = usePanel();
  const query = api.disputeCase.get.useQuery({ dispute_id: id });
  const account = api.account.get.useQuery({});
  return (
    <div className={classes.page}>
      <Group justify="space-between" className={classes.tools}>
        <BackLink href={href(`/disputas/${id}`)} label={t('back')} />
        {query.data && (
          <Button size="xs" leftSection={<Icon of={IconPrinter} size={14} />} onClick={() => window.print()}>
            {t('print')}
          </Button>
        )}
      </Group>
      <QueryState query={query} skeleton={[640]}>
        {(found) => (
          <QueryState query={account} skeleton={[640]}>
            {({ data }) => <EvidencePack found={found} issuer={issuerOf(data)} />}
          </QueryState>
        )}
      </QueryState>
    </div>
  );
}
