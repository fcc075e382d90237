'use client';

import { Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { UnsettledPayout } from '#contract/operator/transactions.ts';
import { CallButton } from '#panel/shell/call-button.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { LinkButton, TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { coinsText } from '#panel/transactions/money-of.ts';
import { ProviderCalls } from '#panel/transactions/why-parts.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { operatorApi } from './operator-api.tsx';
import { useRetry } from './use-retry.ts';

/** How often the page reads the unsettled payouts again, while it is open. */
const REFRESH_MS = 15_000;

/** Payouts whose outcome is unknown: each with what happens next. */
export function UnsettledPayoutsPage() {
  const t = useTranslations('operator.payouts');
  const found = operatorApi.transactions.payouts.useQuery(undefined, { refetchInterval: REFRESH_MS });
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState
        query={found}
        skeleton={[240]}
        isEmpty={({ payouts }) => payouts.length === 0}
        empty={<EmptyState title={t('none')} />}
      >
        {({ payouts }) => (
          <Stack gap="md">
            {payouts.map((payout) => (
              <Payout key={payout.transaction_id} payout={payout} />
            ))}
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function Payout({ payout }: { payout: UnsettledPayout }) {
  const t = useTranslations('operator.payouts');
  const types = useTranslations('panel.transactions.types');
  const formats = useFormats();
  const { transaction_id: id, type, amount, currency, crypto_amount: coins, step, lost_at: lostAt } = payout;
  const sum = formats.reais(amount);
  return (
    <Section
      title={`${types(type)}: ${sum}`}
      aside={coins !== null && currency !== null && <Muted>{coinsText(coins, currency, formats)}</Muted>}
    >
      <FieldList
        folds
        width={200}
        fields={[
          [
            t('from'),
            <>
              <TextLink href={`/operator/contas/${payout.account_id}`} label={payout.merchant_name} />
              {payout.mode === 'test' && ` (${t('test')})`}
            </>,
          ],
          [t('rail'), payout.rail],
          [t('since'), formats.instantExactly(payout.since)],
          [t('state'), t(`steps.${step}`)],
          [
            t('next'),
            t(`nexts.${step}`, {
              at: formats.instantExactly(payout.next_at),
              lost: lostAt === null ? t('lostUnknown') : formats.instantExactly(lostAt),
            }),
          ],
          [t('attempts'), String(payout.attempts)],
          [t('error'), payout.error],
        ]}
      />
      <div>
        <Text fz="sm" fw={500} component="h3">
          {t('answers')}
        </Text>
        <ProviderCalls calls={payout.calls} />
      </div>
      <Group gap="xs">
        <AskButton id={id} />
        <LinkButton size="xs" href={`/operator/transacoes/${id}`} label={t('open')} />
        <LinkButton size="xs" href="/operator/decisoes" label={t('decisions')} />
      </Group>
    </Section>
  );
}

/** Asks the provider for the outcome of a payout; no money is sent. */
function AskButton({ id }: { id: string }) {
  const t = useTranslations('operator.payouts');
  const utils = operatorApi.useUtils();
  const ask = operatorApi.queue.runTask.useMutation(useRetry(() => utils.transactions.payouts.invalidate()));
  return <CallButton variant="filled" call={ask} input={{ kind: 'payout', subject_id: id }} label={t('ask')} />;
}
