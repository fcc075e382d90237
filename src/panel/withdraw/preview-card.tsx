import { Group, Progress, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { WithdrawalPreviewData } from '#contract/withdrawals/withdrawal-preview.ts';
import { FeeLine } from '#panel/money/fee-line.tsx';
import { MoneyPreview } from '#panel/money/money-form.tsx';
import { Notice } from '#panel/money/notice.tsx';
import { OwnProviderNote } from '#panel/money/own-provider-note.tsx';
import { QUOTE_REFRESH_MS, QuoteLines } from '#panel/money/quote-lines.tsx';
import { rangeParams } from '#panel/money/range-params.ts';
import { SumLine, SumLines } from '#panel/money/sum-lines.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { ApprovalNote } from './approval-note.tsx';
import type { Draft } from './draft.ts';
import { PayeeNote } from './payee-note.tsx';
import { isHeldNow } from './schedule.ts';
import type { PreviewQuery } from './use-preview.ts';
import { useWithdrawalErrorText } from './use-withdrawal-error-text.ts';

/**
 * What the withdrawal costs, what leaves and what stays, and how much of the limits is used, before
 * anything is confirmed.
 */
export const PreviewCard = (props: { draft: Draft; amount: number | null; query: PreviewQuery }) => (
  <MoneyPreview query={props.query} skeleton={[20, 16, 16, 16, 16, 16, 48]}>
    {(data) => (
      <>
        <Sums data={data} draft={props.draft} />
        <OwnProviderNote reais={data.at_own_provider} />
        {data.quote && <Quote quote={data.quote} isPending={props.query.isPlaceholderData && props.amount !== null} />}
        <WithdrawalErrors data={data} />
        <PayeeNote data={data} draft={props.draft} amount={props.amount} />
        <ApprovalNote data={data} draft={props.draft} amount={props.amount} />
        <Limits data={data} amount={props.amount} />
      </>
    )}
  </MoneyPreview>
);

/** The lines of the sum, in the order of the calculation. */
export function Sums({ data, draft }: { data: WithdrawalPreviewData; draft: Draft }) {
  const t = useTranslations('panel.withdraw');
  const { received, fee, total, available, remaining } = data;
  const totalLine = <SumLine label={t('total')} reais={total} strong />;
  return (
    <SumLines>
      {draft.kind === 'pix' ? (
        <>
          <SumLine label={t('receives')} reais={received} />
          <FeeLine fee={fee} reais={fee.amount} />
          {totalLine}
        </>
      ) : (
        <>
          {totalLine}
          <FeeLine fee={fee} reais={fee.amount && -fee.amount} />
          <SumLine label={t('converted')} reais={received} />
        </>
      )}
      <SumLine label={t('available')} reais={available} rule />
      {/* Where it is not enough, the error says how much is missing. */}
      {isHeldNow(draft) && (
        <SumLine label={t('remaining')} reais={remaining !== null && remaining < 0 ? null : remaining} />
      )}
    </SumLines>
  );
}

/** The amount in coins, and that the quote is asked for again when it is sent. */
export function Quote(props: { quote: NonNullable<WithdrawalPreviewData['quote']>; isPending?: boolean }) {
  const { quote, isPending = false } = props;
  const t = useTranslations('panel.withdraw');
  const formats = useFormats();
  const spread = `${formats.decimals(quote.spread_percent, 2, 8)}\u00a0%`;
  const validity = t('quoteValidity', { seconds: QUOTE_REFRESH_MS / 1000 });
  return (
    <QuoteLines
      quote={quote}
      isPending={isPending}
      amountText={(coins) => t('approximately', { coins })}
      hint={(sources) =>
        `${quote.spread_percent > 0 ? t('quoteSourcesSpread', { sources, spread }) : t('quoteSources', { sources })} ${validity}`
      }
    />
  );
}

/** Everything that keeps the withdrawal from being sent, in plain words and with figures. */
export function WithdrawalErrors({ data }: { data: WithdrawalPreviewData }) {
  const t = useTranslations('panel.withdraw');
  const textOf = useWithdrawalErrorText();
  const { href } = usePanel();
  if (data.errors.length === 0) return null;
  return (
    <Notice tone="bad" role="status">
      <Stack gap={6}>
        {data.errors.map((code) => (
          <Text key={code} fz="sm">
            {textOf(code, data)}
          </Text>
        ))}
        {data.errors.includes('kyc_not_approved') && (
          <TextLink href={href('/verificacao')} underline="always" label={t('toVerification')} />
        )}
      </Stack>
    </Notice>
  );
}

function Limits({ data, amount }: { data: WithdrawalPreviewData; amount: number | null }) {
  const t = useTranslations('panel.withdraw');
  const tForm = useTranslations('panel.moneyForm');
  const { reais, time } = useFormats();
  const { href } = usePanel();
  const { limits } = data;
  const range = rangeParams(data.minimum, data.maximum, reais);
  return (
    <Stack gap="sm">
      {limits.map((limit) => {
        const share = (value: number) => Math.min(100, (value / (limit.limit || 1)) * 100);
        const wanted = limit.counts_now ? (amount ?? 0) : 0;
        const isPassed = limit.used + wanted > limit.limit;
        return (
          <div key={limit.name}>
            <Group justify="space-between" gap="0 12px">
              <Text fz="sm" fw={500}>
                {t(`limits.${limit.name}`)}
              </Text>
              <Muted>{t('limitLeft', { left: reais(limit.left), limit: reais(limit.limit) })}</Muted>
            </Group>
            <Progress.Root size="sm" mt={6} aria-hidden="true">
              <Progress.Section value={share(limit.used)} color="gray" />
              <Progress.Section
                value={Math.min(share(wanted), 100 - share(limit.used))}
                color={isPassed ? 'red' : 'accent'}
              />
            </Progress.Root>
            <Muted fz="xs" mt={4}>
              {limit.counts_now
                ? t('limitUsed', { used: reais(limit.used), time: limit.ends_at === null ? '' : time(limit.ends_at) })
                : t('nightHint')}
            </Muted>
          </div>
        );
      })}
      <Muted fz="xs">
        {range && `${t('range', range)} `}
        {limits.length === 0 && `${t('noLimits')} `}
        <TextLink href={href('/limites')} fz="xs" underline="always" label={tForm('toLimits')} />
      </Muted>
    </Stack>
  );
}
