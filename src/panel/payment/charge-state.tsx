import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Skeleton } from '#panel/skeleton.tsx';
import { Icon } from '../shell/icon.tsx';
import { chargeStates, type StateName, type StateValues } from './charge-states.ts';
import classes from './payment-page.module.css';

/**
 * The state in an icon, words and a colour; null while it is not known. The live region is the same
 * element whatever the state, because screen readers announce what changes inside one, not a new
 * one.
 */
export function ChargeState(props: { state: StateName | null; values: StateValues; children?: ReactNode }) {
  const { state, values, children } = props;
  return (
    <section className={classes.state} data-tone={state === null ? 'neutral' : chargeStates[state].tone}>
      <div role="status" className={classes.status}>
        {state === null ? <Loading /> : <Words state={state} values={values} />}
      </div>
      {children}
    </section>
  );
}

function Words({ state, values }: { state: StateName; values: StateValues }) {
  const t = useTranslations('pay.states');
  const { icon } = chargeStates[state];
  // Without a charge there is no merchant's name to head the page.
  const Heading = values.merchant ? 'h2' : 'h1';
  return (
    <>
      <span className={classes.stateIcon} data-state={state}>
        <Icon of={icon} size={20} />
      </span>
      <Heading className={classes.stateTitle}>{t(`${state}.title`)}</Heading>
      {state !== 'pending' && <p className={classes.stateText}>{t(`${state}.text`, values)}</p>}
    </>
  );
}

function Loading() {
  const t = useTranslations('pay');
  return (
    <>
      <span className="visually-hidden">{t('loading')}</span>
      <noscript>
        <span>{t('states.unreachable.title')}</span>
      </noscript>
      <Skeleton width={20} height={20} />
      <Skeleton width={150} height={14} />
    </>
  );
}
