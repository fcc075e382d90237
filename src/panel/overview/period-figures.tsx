import { SegmentedControl } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { OVERVIEW_PERIODS, type OverviewPeriod } from '#domain/reports/overview-period.ts';
import { Amount } from '#panel/money/amount.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { NO_FILTERS, writeFilters } from '#panel/transactions/filters.ts';
import { useFormats } from '#panel/use-formats.ts';
import { BarChart } from './bar-chart.tsx';
import { Explained } from './explained.tsx';
import classes from './overview.module.css';
import { PERIOD_WORDS } from './period.ts';
import { PeriodTotal } from './period-total.tsx';

/**
 * What moved in a period: received with its chart, conversion, fees, sent, refunded, and what that
 * made of the balances.
 */
export function PeriodFigures(props: {
  overview: Overview;
  period: OverviewPeriod;
  onPeriod: (period: OverviewPeriod) => void;
  /** Figures of the period before this one are still on the page. */
  stale: boolean;
}) {
  const { overview, period, onPeriod, stale } = props;
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
          <Received overview={overview} period={period} />
          <Conversion conversion={overview.conversion} />
          <Fees fees={overview.fees} />
          <Sent sent={overview.sent} period={period} />
          <Refunded refunded={overview.refunded} />
        </div>
        <BarChart series={overview.series} unit={overview.period.unit} />
        <PeriodTotal overview={overview} />
      </div>
    </section>
  );
}

function Received({ overview: { received, period: span }, period }: { overview: Overview; period: OverviewPeriod }) {
  const t = useTranslations('panel.overview');
  const formats = useFormats();
  const { reais } = formats;
  const { href } = usePanel();
  return (
    <div className={classes.received}>
      <Explained
        name={t('received')}
        link={{
          href: href(
            `/transacoes${writeFilters({ ...NO_FILTERS, types: ['pix_in', 'crypto_in'], by: 'paid', period: PERIOD_WORDS[period] })}`,
          ),
          text: t('receivedLink'),
        }}
      >
        <p>{t('receivedSum', partsOf(received, reais))}</p>
        <p>
          {t('receivedBefore', {
            before: reais(received.before),
            from: formats.instant(span.before.starts_at),
            to: formats.instant(span.before.ends_at),
          })}
        </p>
      </Explained>
      <div className={classes.withChange}>
        <Amount reais={received.amount} size="lg" />
        <Change percent={received.change_percent} period={period} />
      </div>
    </div>
  );
}

/**
 * Against the span before; a word beside the arrow, because colour and shape alone say nothing to
 * many.
 */
function Change({ percent, period }: { percent: number | null; period: OverviewPeriod }) {
  const t = useTranslations('panel.overview');
  const formats = useFormats();
  if (percent === null) return <span className={classes.muted}>{t('change.none')}</span>;
  const direction = percent > 0 ? 'up' : percent < 0 ? 'down' : 'same';
  const figure = formats.number(Math.abs(percent), { maximumFractionDigits: Math.abs(percent) < 10 ? 1 : 0 });
  return (
    <span className={classes.change} data-direction={direction}>
      <span aria-hidden="true">{{ up: '▲', down: '▼', same: '=' }[direction]} </span>
      {t(`change.${direction}`, { percent: figure, before: t(`before.${period}`) })}
    </span>
  );
}

function Conversion({ conversion }: { conversion: Overview['conversion'] }) {
  const t = useTranslations('panel.overview');
  const formats = useFormats();
  const { made, paid, expired, cancelled, waiting, percent } = conversion;
  return (
    <div className={classes.figure}>
      <Explained name={t('conversion')}>
        <p>{t('conversionSum', { made, paid, expired, cancelled, waiting })}</p>
        <p>{t('conversionWhy')}</p>
      </Explained>
      <div className={classes.value}>
        {percent === null ? (
          <span className={classes.muted}>{t('conversionNone')}</span>
        ) : (
          <>
            {t('percent', { value: formats.number(percent, { maximumFractionDigits: 1 }) })}{' '}
            <span className={classes.muted}>{t('conversionValue', { made, paid })}</span>
          </>
        )}
      </div>
    </div>
  );
}

function Fees({ fees }: { fees: Overview['fees'] }) {
  const t = useTranslations('panel.overview');
  const { reais } = useFormats();
  const { href } = usePanel();
  return (
    <div className={classes.figure}>
      <Explained name={t('fees')} link={{ href: href('/limites'), text: t('feesLink') }}>
        <p>{t('feesSum', { received: reais(fees.received), sent: reais(fees.sent), total: reais(fees.amount) })}</p>
      </Explained>
      <div className={classes.value}>
        <Amount reais={fees.amount} />
      </div>
    </div>
  );
}

function Sent({ sent, period }: { sent: Overview['sent']; period: OverviewPeriod }) {
  const t = useTranslations('panel.overview');
  const { reais } = useFormats();
  const { href } = usePanel();
  return (
    <div className={classes.figure}>
      <Explained
        name={t('sent')}
        link={{
          href: href(
            `/transacoes${writeFilters({ ...NO_FILTERS, types: ['pix_out', 'crypto_out'], by: 'paid', period: PERIOD_WORDS[period] })}`,
          ),
          text: t('sentLink'),
        }}
      >
        <p>{t('sentSum', partsOf(sent, reais))}</p>
      </Explained>
      <div className={classes.value}>
        <Amount reais={-sent.amount} />
      </div>
    </div>
  );
}

function Refunded({ refunded }: { refunded: Overview['refunded'] }) {
  const t = useTranslations('panel.overview');
  const { href } = usePanel();
  const address = writeFilters({ ...NO_FILTERS, statuses: ['partially_refunded', 'refunded'] });
  return (
    <div className={classes.figure}>
      <Explained name={t('refunded')} link={{ href: href(`/transacoes${address}`), text: t('refundedLink') }}>
        <p>{t('refundedSum', { count: refunded.count })}</p>
      </Explained>
      <div className={classes.value}>
        <Amount reais={-refunded.amount} />
      </div>
    </div>
  );
}

/** A sum by what it is made of, as its explanation names it. */
const partsOf = ({ pix, crypto, amount }: Overview['sent'], reais: (amount: number) => string) => ({
  pix: reais(pix.amount),
  pixCount: pix.count,
  crypto: reais(crypto.amount),
  cryptoCount: crypto.count,
  total: reais(amount),
});
