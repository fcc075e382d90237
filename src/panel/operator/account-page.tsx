'use client';

import { Alert, Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { AccountTerms } from './account-terms.tsx';
import { AccountState } from './accounts-page.tsx';
import { operatorApi } from './operator-api.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

/** One account: its data, its members, and whether it is suspended. */
export function AccountPage({ accountId }: { accountId: string }) {
  const t = useTranslations('operator.account');
  const roles = useTranslations('auth.roles');
  const limitName = useTranslations('panel.terms.change');
  const formats = useFormats();
  const found = operatorApi.accounts.get.useQuery({ account_id: accountId });
  const { data } = found;
  return (
    <Page
      title={data?.account.merchant_name ?? t('title')}
      description={
        data && (
          <>
            {t('mode', { mode: data.account.mode })} · {data.account.email}
            <br />
            <CopyText value={data.account.account_id} label={t('id')} />
            <TextLink
              href={`/operator/transacoes?conta=${accountId}`}
              label={t('transactions')}
              underline="always"
              display="block"
              w="fit-content"
            />
          </>
        )
      }
      actions={data && <Suspension accountId={accountId} isSuspended={data.account.suspended_at !== null} />}
    >
      <QueryState query={found} skeleton={[160, 160]}>
        {({ account, balances, members, limits }) => (
          <Stack gap="md">
            {account.suspended_at !== null && (
              <Alert color="red" variant="light">
                {t('suspendedSince', { at: formats.instant(account.suspended_at) })} {account.suspension_reason}
              </Alert>
            )}
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
              <Section title={t('balances')} aside={<AccountState account={account} />}>
                <FieldList
                  fields={(['available', 'pending', 'blocked', 'owed'] as const).map(
                    (name) => [t(`balance.${name}`), formats.reais(balances[name])] as const,
                  )}
                />
              </Section>
              <Section title={t('limits')}>
                <FieldList
                  width={220}
                  folds
                  fields={limits.map(
                    ({ name, limit }) =>
                      [limitName(`limits.${name}`), limit === null ? t('noLimit') : formats.reais(limit)] as const,
                  )}
                />
              </Section>
            </SimpleGrid>
            <AccountTerms accountId={accountId} />
            <Section title={t('members')}>
              {members.length === 0 && <Muted>{t('noMembers')}</Muted>}
              <DataTable
                label={t('members')}
                folds="never"
                rows={members}
                keyOf={({ email }) => email}
                columns={[
                  {
                    name: 'who',
                    cell: ({ name, email }) => (
                      <>
                        <Text fz="sm">{name}</Text>
                        <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
                          {email}
                        </Muted>
                      </>
                    ),
                  },
                  {
                    name: 'access',
                    isNumeric: true,
                    cell: ({ role, has_second_factor: has }) => (
                      <>
                        <Text fz="sm">{roles(role)}</Text>
                        <Muted fz="xs" style={{ whiteSpace: 'nowrap' }}>
                          {t(has ? 'twoFactors' : 'oneFactor')}
                        </Muted>
                      </>
                    ),
                  },
                ]}
              />
            </Section>
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function Suspension({ accountId, isSuspended }: { accountId: string; isSuspended: boolean }) {
  const t = useTranslations('operator.account');
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const [isOpen, setOpen] = useState(false);
  const refresh = () => utils.accounts.get.invalidate();
  const suspend = operatorApi.accounts.suspend.useMutation(
    notify.afterDialog(t('isSuspended'), { refresh, onClose: () => setOpen(false) }),
  );
  const resume = operatorApi.accounts.resume.useMutation({ ...notify.after(t('isResumed')), onSettled: refresh });
  if (isSuspended) {
    return (
      <Button loading={resume.isPending} onClick={() => resume.mutate({ account_id: accountId })}>
        {t('resume')}
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('suspend')}
      </Button>
      {isOpen && (
        <ReasonDialog
          isDanger
          title={t('suspendTitle')}
          text={t('suspendText')}
          submit={t('suspend')}
          call={suspend}
          onSubmit={(reason) => suspend.mutate({ account_id: accountId, reason })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
