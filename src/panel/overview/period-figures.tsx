import { SegmentedControl } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { OVERVIEW_PERIODS, type OverviewPeriod } from '#domain/reports/overview-period.ts';
import { Amount } from '#panel/money/amount.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { type Filters, NO_FILTERS, writeFilters } from '#panel/transactions/filters.ts';
import { useFormats } from '#panel/use-formats.ts';
import { BarChart } from './bar-chart.tsx';
import { Figure } from './figure.tsx';
import classes from './overview.module.css';
import { PERIOD_WORDS } from './period.ts';
import { PeriodTotal } from './period-total.tsx';

type Props = {
  overview: Overview;
  period: OverviewPeriod;
  onPeriod: (period: OverviewPeriod) => void;
  /** The figures of the previous period are still on the page. */
  stale: boolean;
};

/**
 * What moved in a period: received with its chart, conversion, fees, sent, refunded, and what that
 * made of the balances.
 */
export function PeriodFigures({ overview, period, onPeriod, stale }: Props) {
  const t = useTranslations('panel.overview');
  return (
    <section className={classes.card} aria-labelledby="movement">
      <div className={classes.period}>
        <h2 id="movement" className={classes.heading}>
          {t('movement')}
        </h2>
        <SegmentedControl
          size="xs"
          aria-label={t('period.label')}
          value={period}
          onChange={(chosen) => onPeriod(chosen as OverviewPeriod)}
          data={OVERVIEW_PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
        />
      </div>
      <div className={classes.movement} data-stale={stale}>
        <div className={classes.figures}>
          <Figures overview={overview} period={period} />
        </div>
        <BarChart series={overview.series} unit={overview.period.unit} />
        <PeriodTotal overview={overview} />
      </div>
    </section>
  );
}

function Figures({ overview, period }: Pick<Props, 'overview' | 'period'>) {
  const t = useTranslations('panel.overview');
  const { reais, number, instant } = useFormats();
  const { href } = usePanel();
  const { received, fees, sent, refunded } = overview;
  const { percent, ...charges } = overview.conversion;
  const { starts_at: from, ends_at: to } = overview.period.before;
  const list = (filters: Partial<Filters>) => href(`/transacoes${writeFilters({ ...NO_FILTERS, ...filters })}`);
  const paidIn = { by: 'paid', period: PERIOD_WORDS[period] } as const;
  return (
    <>
      <Figure
        kind="received"
        name={t('received')}
        says={[
          t('receivedSum', partsOf(received, reais)),
          t('receivedBefore', { before: reais(received.before), from: instant(from), to: instant(to) }),
        ]}
        link={{ href: list({ types: ['pix_in', 'crypto_in'], ...paidIn }), text: t('receivedLink') }}
      >
        <Amount reais={received.amount} size="lg" />
        <Change percent={received.change_percent} period={period} />
      </Figure>
      <Figure name={t('conversion')} says={[t('conversionSum', charges), t('conversionWhy')]}>
        {percent === null ? (
          <span className={classes.muted}>{t('conversionNone')}</span>
        ) : (
          <>
            {t('percent', { value: number(percent, { maximumFractionDigits: 1 }) })}{' '}
            <span className={classes.muted}>{t('conversionValue', charges)}</span>
          </>
        )}
      </Figure>
      <Figure
        name={t('fees')}
        says={[t('feesSum', { received: reais(fees.received), sent: reais(fees.sent), total: reais(fees.amount) })]}
        link={{ href: href('/limites'), text: t('feesLink') }}
      >
        <Amount reais={-fees.amount} />
      </Figure>
      <Figure
        name={t('sent')}
        says={[t('sentSum', partsOf(sent, reais))]}
        link={{ href: list({ types: ['pix_out', 'crypto_out'], ...paidIn }), text: t('sentLink') }}
      >
        <Amount reais={-sent.amount} />
      </Figure>
      <Figure
        name={t('refunded')}
        says={[t('refundedSum', { count: refunded.count })]}
        link={{ href: list({ statuses: ['partially_refunded', 'refunded'] }), text: t('refundedLink') }}
      >
        <Amount reais={-refunded.amount} />
      </Figure>
    </>
  );
}

/**
 * The change against the previous period, with a word beside the arrow, because many can't read
 * colour and shape alone.
 */
function Change({ percent, period }: { percent: number | null; period: OverviewPeriod }) {
  const t = useTranslations('panel.overview');
  const { number } = useFormats();
  if (percent === null) return <span className={classes.muted}>{t('change.none')}</span>;
  const direction = percent > 0 ? 'up' : percent < 0 ? 'down' : 'same';
  const figure = number(Math.abs(percent), { maximumFractionDigits: Math.abs(percent) < 10 ? 1 : 0 });
  return (
    <span className={classes.change} data-direction={direction}>
      <span aria-hidden="true">{{ up: '▲', down: '▼', same: '=' }[direction]} </span>
      {t(`change.${direction}`, { percent: figure, before: t(`before.${period}`) })}
    </span>
  );
}

/** The parts of a sum, as its explanation names them. */
const partsOf = ({ pix, crypto, amount }: Overview['sent'], reais: (amount: number) => string) => ({
  pix: reais(pix.amount),
  pixCount: pix.count,
  crypto: reais(crypto.amount),
  cryptoCount: crypto.count,
  total: reais(amount),
});
