import { useTranslations } from 'next-intl';
import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import type { Overview } from '#contract/reports/overview.ts';
import { useFormats } from '#panel/use-formats.ts';
import classes from './bar-chart.module.css';
import { niceTop } from './nice-top.ts';

const KINDS = ['pix', 'crypto'] as const;

/**
 * What came in by day (by hour, when the period is a day): PIX below, crypto on top of it. Bars of
 * our own, because the library's are too large: @mantine/charts' BarChart is 115 kB of JavaScript
 * (gzip) more, its Sparkline 85 kB, of the 300 kB that a page may have. Arrow keys walk through the
 * bars; screen readers get a table.
 */
export function BarChart({ series, unit }: { series: Overview['series']; unit: 'hour' | 'day' }) {
  const t = useTranslations('panel.overview.chart');
  const { number, reais, time, shortDay, shortDayName } = useFormats();
  const [at, setAt] = useState<number | null>(null);
  const top = niceTop(Math.max(...series.map(({ pix, crypto }) => pix + crypto)));
  const looked = at === null ? undefined : series[at];
  const nameOf = unit === 'hour' ? time : shortDayName;
  const briefly = unit === 'hour' ? time : shortDay;

  const walk = (event: KeyboardEvent) => {
    const last = series.length - 1;
    const from = at ?? series.length;
    const to = { ArrowLeft: Math.max(0, from - 1), ArrowRight: Math.min(last, from + 1), Home: 0, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    setAt(to);
  };

  return (
    <figure className={classes.chart}>
      <figcaption className={classes.legend}>
        {KINDS.map((kind) => (
          <span key={kind} className={classes.key} data-kind={kind}>
            {t(kind)}
          </span>
        ))}
        <span className={classes.looked} aria-live="polite">
          {looked
            ? t('looked', { when: nameOf(looked.from), pix: reais(looked.pix), crypto: reais(looked.crypto) })
            : t(`by.${unit}`)}
        </span>
      </figcaption>
      <div
        className={classes.plot}
        role="img"
        aria-label={t('label')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys need a place to be pressed in.
        tabIndex={0}
        onKeyDown={walk}
        onBlur={() => setAt(null)}
        onMouseLeave={() => setAt(null)}
      >
        <span className={classes.top}>{number(top, { notation: 'compact' })}</span>
        <span className={classes.half}>{number(top / 2, { notation: 'compact' })}</span>
        <div className={classes.bars} style={{ '--steps': series.length } as CSSProperties}>
          {series.map((step, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: what it shows is in the table, and under the arrow keys.
            <div key={step.from} className={classes.step} data-looked={index === at} onMouseEnter={() => setAt(index)}>
              {(['crypto', 'pix'] as const).map((kind) => (
                <span
                  key={kind}
                  className={classes.bar}
                  data-kind={kind}
                  style={{ height: `${(step[kind] / top) * 100}%` }}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div className={classes.axis} aria-hidden="true">
        {[0, Math.floor((series.length - 1) / 2), series.length - 1].map((index) => (
          <span key={index}>{series[index] && briefly(series[index].from)}</span>
        ))}
      </div>
      <table className="visually-hidden">
        <caption>{t('label')}</caption>
        <thead>
          <tr>
            {([unit, ...KINDS] as const).map((name) => (
              <th key={name} scope="col">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map(({ from, pix, crypto }) => (
            <tr key={from}>
              <th scope="row">{nameOf(from)}</th>
              <td>{reais(pix)}</td>
              <td>{reais(crypto)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
