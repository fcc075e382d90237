import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Skeleton } from '#panel/skeleton.tsx';
import { chargeStates } from './charge-states.ts';
import classes from './payment-page.module.css';
import type { Knowledge } from './polling.ts';

/**
 * The state in an icon, words and a colour. The live region is the same element whatever the state, because screen readers
 * announce what changes inside one, not a new one.
 */
export function ChargeState(props: { knowledge: Knowledge; merchant: string; children?: ReactNode }) {
  const { knowledge } = props;
  return (
    <section className={classes.state} data-tone={knowledge === 'loading' ? 'neutral' : chargeStates[knowledge].tone}>
      <div role="status" className={classes.status}>
        {knowledge === 'loading' ? <Loading /> : <Words knowledge={knowledge} merchant={props.merchant} />}
      </div>
      {props.children}
    </section>
  );
}

function Words({ knowledge, merchant }: { knowledge: Exclude<Knowledge, 'loading'>; merchant: string }) {
  const t = useTranslations('pay.states');
  const { icon: StateIcon } = chargeStates[knowledge];
  // Without a charge there is no merchant above to head the page.
  const Heading = merchant ? 'h2' : 'h1';
  return (
    <>
      <span className={classes.stateIcon} data-state={knowledge}>
        <StateIcon />
      </span>
      <Heading className={classes.stateTitle}>{t(`${knowledge}.title`)}</Heading>
      {knowledge !== 'pending' && <p className={classes.stateText}>{t(`${knowledge}.text`, { merchant })}</p>}
    </>
  );
}

function Loading() {
  const t = useTranslations('pay');
  return (
    <>
      <span className="visually-hidden">{t('loading')}</span>
      <Skeleton width={20} height={20} />
      <Skeleton width={150} height={14} />
    </>
  );
}
