'use client';

import { Card, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TermsOutput } from '#contract/accounts/terms-output.ts';
import { api } from '#panel/api.tsx';
import { useFeeText } from '#panel/money/use-fee-text.ts';
import { CopyText } from '#panel/shell/copy-text.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { LimitList } from './limit-list.tsx';
import { PlannedTerms } from './planned-terms.tsx';
import classes from './terms.module.css';
import { WithdrawalThreshold } from './withdrawal-threshold.tsx';

/**
 * What is agreed with the account: limits with their use, fees with examples, and how to ask for
 * others.
 */
export function TermsPage() {
  const t = useTranslations('panel.terms');
  const { me, may } = usePanel();
  const terms = api.terms.get.useQuery();
  return (
    <Page title={t('title')} description={`${t('description')} ${t('zone')}`}>
      <QueryState query={terms} skeleton={[260, 190, 140]}>
        {(data) => (
          <Stack gap="xl">
            <PlannedTerms planned={data.planned} />
            <Section plain title={t('limits')} text={t('counts')}>
              <LimitList terms={data} />
            </Section>
            {may('thresholds.get') && <WithdrawalThreshold kind="approval" />}
            <Section plain title={t('fees')} text={t('feesExplained')}>
              <FeeList fees={data.fees} />
            </Section>
            <Section plain title={t('crypto')}>
              <CryptoTerms crypto={data.crypto} />
            </Section>
            <Section plain title={t('ask')} text={t('adjust')}>
              <Text fz="sm" component="div">
                {t('askText')} <CopyText value={me.account_id} label={t('accountId')} />
              </Text>
            </Section>
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

/** Every fee: its formula, and an example with a round amount. */
function FeeList({ fees }: { fees: TermsOutput['fees'] }) {
  const t = useTranslations('panel.terms');
  const { reais } = useFormats();
  const feeText = useFeeText();
  return (
    <Card withBorder padding="lg" className={classes.figures}>
      <ul className={`plain-list ${classes.fees}`}>
        {fees.map(({ type, percent, fixed, active, example: { amount, fee, net, total } }) => (
          <li key={type}>
            <Text fz="sm" fw={600}>
              {t(`rails.${type}`)}
            </Text>
            <Text fz="sm">{percent === 0 && fixed === 0 ? t('free') : feeText({ percent, fixed })}</Text>
            <Muted className={classes.example}>
              {active
                ? t(`examples.${type}`, {
                    amount: reais(amount),
                    fee: reais(fee),
                    net: reais(net),
                    total: reais(total),
                  })
                : t('off')}
            </Muted>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The spread of crypto prices, and the tolerance of crypto payments. */
function CryptoTerms({ crypto }: { crypto: TermsOutput['crypto'] }) {
  const t = useTranslations('panel.terms');
  const { reais, decimals } = useFormats();
  const { spread_percent: spread, tolerance_percent: tolerance, price_example: price } = crypto;
  const { amount, from, to } = crypto.tolerance_example;
  const prices = { market: reais(price.market), charge: reais(price.charge), withdrawal: reais(price.withdrawal) };
  const amounts = { amount: reais(amount), from: reais(from), to: reais(to) };
  const terms = [
    { name: 'spread', percent: spread, text: spread === 0 ? t('spreadNone') : t('spreadText', prices) },
    { name: 'tolerance', percent: tolerance, text: tolerance === 0 ? t('toleranceNone') : t('toleranceText', amounts) },
  ] as const;
  return (
    <Card withBorder padding="lg" className={classes.figures}>
      <Stack gap="md">
        {terms.map(({ name, percent, text }) => (
          <div key={name}>
            <Group gap="xs">
              <Text fz="sm" fw={600}>
                {t(name)}
              </Text>
              {percent > 0 && <Text fz="sm">{`${decimals(percent)}\u00a0%`}</Text>}
            </Group>
            <Muted>{text}</Muted>
          </div>
        ))}
      </Stack>
    </Card>
  );
}
