import { Card, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { TermsOutput } from '#contract/accounts/terms-output.ts';
import type { LimitName } from '#domain/accounts/limits.ts';
import { TRANSACTION_TYPES, type TransactionType } from '#domain/transactions/transaction-states.ts';
import { AMOUNT_CENTAVOS_MAX, toBrl } from '#domain/values/money.ts';
import { rangeParams } from '#panel/money/range-params.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import classes from './terms.module.css';

type Limit = TermsOutput['limits'][number];

/** Which limits an operation has. */
const LIMITS: Record<TransactionType, { min: LimitName; max: LimitName; day?: LimitName; night?: LimitName }> = {
  pix_in: { min: 'minimal_value_in_pix', max: 'maximal_value_in_pix' },
  pix_out: {
    min: 'minimal_value_out_pix',
    max: 'maximal_value_out_pix',
    day: 'daily_limit_out_pix',
    night: 'night_limit_out_pix',
  },
  crypto_in: { min: 'minimal_value_in_crypto', max: 'maximal_value_in_crypto' },
  crypto_out: { min: 'minimal_value_out_crypto', max: 'maximal_value_out_crypto', day: 'daily_limit_out_crypto' },
};

/** No operation is larger, whatever the account's own limit. */
const OPERATION_MAX = toBrl(AMOUNT_CENTAVOS_MAX);

/** From this share on a limit is nearly reached; the home page says so too. */
const NEARLY = 0.8;

/**
 * Every limit by operation: the range of one payment, and how much of the day's and the night's is
 * used.
 */
export function LimitList({ terms }: { terms: TermsOutput }) {
  const t = useTranslations('panel.terms');
  const limitOf = (name: LimitName) => terms.limits.find((limit) => limit.name === name);
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      {[...TRANSACTION_TYPES].sort(outFirst).map((type) => {
        const { min, max, day, night } = LIMITS[type];
        return (
          <Card key={type} withBorder padding="lg" className={classes.figures}>
            <Stack gap="md">
              <Title order={3} fz={15}>
                {t(`rails.${type}`)}
              </Title>
              {day && <Filled label={t('daily')} limit={limitOf(day)} />}
              {night && <Filled label={t('night')} limit={limitOf(night)} night={terms.night} />}
              <Range min={limitOf(min)?.limit ?? null} max={limitOf(max)?.limit ?? null} />
            </Stack>
          </Card>
        );
      })}
    </SimpleGrid>
  );
}

/** Withdrawals first, because they have the most limits. */
const outFirst = (a: TransactionType, b: TransactionType) => Number(b.endsWith('_out')) - Number(a.endsWith('_out'));

/** A limit with how much of it is used: a bar and its figures. */
function Filled(props: { label: string; limit: Limit | undefined; night?: TermsOutput['night'] }) {
  const { label, limit, night } = props;
  const t = useTranslations('panel.terms');
  const { reais } = useFormats();
  if (!limit) return null;
  const { limit: most, use } = limit;
  const share = most !== null && use ? (most === 0 ? 1 : use.used / most) : 0;
  const resetsAt = use?.resets_at;
  return (
    <div>
      <Group justify="space-between" gap="0 12px">
        <Text fz="sm" fw={600}>
          {label}
        </Text>
        <Text fz="sm">
          {most === null
            ? use && use.used > 0
              ? t('usedNoLimit', { used: reais(use.used) })
              : null
            : use
              ? t('used', { used: reais(use.used), limit: reais(most) })
              : reais(most)}
        </Text>
      </Group>
      {most === null ? (
        <Muted>{t('none')}</Muted>
      ) : (
        use && (
          <>
            <Progress.Root size="md" my={6}>
              <Progress.Section
                value={Math.min(share, 1) * 100}
                color={share >= NEARLY ? 'var(--tone-caution)' : 'accent'}
                aria-label={label}
                aria-valuetext={t('used', { used: reais(use.used), limit: reais(most) })}
              />
            </Progress.Root>
            <Group justify="space-between" gap="0 12px">
              <Text fz="sm">{t('left', { left: reais(use.left ?? 0) })}</Text>
              {resetsAt && <Muted>{t.rich('resets', { when: () => <When at={resetsAt} /> })}</Muted>}
            </Group>
          </>
        )
      )}
      {night && (
        <Muted>{t(night.now ? 'nightWindowNow' : 'nightWindow', { from: night.from_hour, to: night.to_hour })}</Muted>
      )}
    </div>
  );
}

function Range({ min, max }: { min: number | null; max: number | null }) {
  const t = useTranslations('panel.terms');
  const { reais } = useFormats();
  const range = rangeParams(min, Math.min(max ?? OPERATION_MAX, OPERATION_MAX), reais);
  return (
    <div>
      <Text fz="sm" fw={600}>
        {t('range')}
      </Text>
      <Text fz="sm">{range && t('between', range)}</Text>
    </div>
  );
}
