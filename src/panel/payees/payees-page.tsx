'use client';

import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { PayeeOutput } from '#contract/payees/payees.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Notice } from '#panel/money/notice.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { WithdrawalThreshold } from '../terms/withdrawal-threshold.tsx';
import { PayeeList } from './payee-list.tsx';

const AddPayeeDialog = lazyPart(() => import('./add-payee-dialog.tsx'), 'AddPayeeDialog');
const RemovePayeeDialog = lazyPart(() => import('./remove-payee-dialog.tsx'), 'RemovePayeeDialog');

/** The address book: the payees of the account, and whether it sends money to others as well. */
export function PayeesPage() {
  const t = useTranslations('panel.payees');
  const payees = api.payees.list.useQuery({});
  const [open, setOpen] = useState<'add' | PayeeOutput | null>(null);
  const close = () => setOpen(null);
  const add = (
    <Button leftSection={<Icon of={IconPlus} size={16} />} onClick={() => setOpen('add')}>
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={add}>
      <Stack gap="xl">
        <QueryState
          query={payees}
          skeleton={[200]}
          isEmpty={(data) => data.data.length === 0}
          empty={<EmptyState title={t('empty')} text={t('emptyText')} />}
        >
          {(data) => <PayeeList payees={data.data} onRemove={setOpen} />}
        </QueryState>
        <Stack gap="sm">
          <WithdrawalThreshold kind="payees" />
          {payees.data?.data.every(({ waits }) => waits) && <Notice>{t('noneUsable')}</Notice>}
        </Stack>
      </Stack>
      <Suspense fallback={null}>
        {open === 'add' && <AddPayeeDialog onClose={close} />}
        {open !== null && open !== 'add' && <RemovePayeeDialog payee={open} onClose={close} />}
      </Suspense>
    </Page>
  );
}
