'use client';

import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import type { PaymentPageData } from '#contract/charges/payment-status.ts';
import { ActionButton } from '#panel/action-button.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { ChargeDetails } from './charge-details.tsx';
import { ChargeState } from './charge-state.tsx';
import { isPayable, paymentTitle, stateOf, stateValues } from './charge-states.ts';
import { ChargeSummary } from './charge-summary.tsx';
import { Countdown, useTimeIsUp } from './countdown.tsx';
import { CryptoDestination } from './crypto-destination.tsx';
import cryptoClasses from './crypto-payment.module.css';
import { PaymentFrame } from './payment-frame.tsx';
import classes from './payment-page.module.css';
import { PaymentSteps } from './payment-steps.tsx';
import { PixCode } from './pix-code.tsx';
import { canChange } from './polling.ts';
import { usePayment } from './use-payment.ts';

/**
 * The payer's page of one PIX charge or crypto invoice: what to pay, how, and, without a reload,
 * that it is paid.
 */
export function PaymentPage({ transactionId }: { transactionId: string }) {
  const t = useTranslations('pay');
  const formats = useFormats();
  const { viewState, charge, receivedAt, trouble, askAgain } = usePayment(transactionId);
  const state = stateOf(viewState, charge, useTimeIsUp(charge, receivedAt));
  const values = stateValues(charge, formats);
  const title = paymentTitle(t, formats, state, charge);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => document.documentElement.setAttribute('data-interactive', ''), []);

  if (viewState === 'unknown' || viewState === 'unreachable') {
    return (
      <PaymentFrame layout="message" trouble={trouble}>
        <ChargeState state={state} values={values}>
          {viewState === 'unreachable' && (
            <ActionButton quiet onClick={() => askAgain()}>
              {t('retry')}
            </ActionButton>
          )}
        </ChargeState>
      </PaymentFrame>
    );
  }

  const payable = isPayable(state);
  const crypto = charge?.crypto;
  return (
    <PaymentFrame layout={payable ? 'payable' : 'done'} test={charge?.livemode === false} trouble={trouble}>
      <ChargeSummary charge={charge} payable={payable} />
      <ChargeState state={state} values={values}>
        {payable && charge?.expires_at && (
          <Countdown expiresAt={charge.expires_at} serverTime={charge.server_time} receivedAt={receivedAt} />
        )}
        {viewState === 'detected' && crypto && (
          <Confirmations seen={crypto.confirmations} needed={crypto.confirmations_needed} />
        )}
        {canChange(viewState) && (
          <noscript>
            <p className={classes.stateText}>
              {t('noScript.text')} <a href="?">{t('noScript.reload')}</a>
            </p>
          </noscript>
        )}
      </ChargeState>
      {payable && <HowToPay charge={charge} />}
      {!payable && charge && <ChargeDetails charge={charge} state={state} />}
    </PaymentFrame>
  );
}

/** The confirmations of the network, with a progress bar where it is known how many are needed. */
function Confirmations({ seen, needed }: { seen: number; needed: number | null }) {
  const t = useTranslations('pay.crypto');
  const label = t('confirmations');
  const shown = needed === null ? seen : Math.min(seen, needed);
  return (
    <div className={cryptoClasses.confirmations}>
      <p className={cryptoClasses.confirmationsText}>
        {label} <strong>{needed === null ? seen : t('seenOfNeeded', { seen: shown, needed })}</strong>
      </p>
      {needed !== null && <progress aria-label={label} value={shown} max={Math.max(needed, 1)} />}
    </div>
  );
}

/**
 * The code or the address, and the steps. Before the charge is known it has the shape of a PIX
 * charge without its words: a payer of coins must not be asked to open the bank's app.
 */
function HowToPay({ charge }: { charge: PaymentPageData | undefined }) {
  const t = useTranslations('pay');
  const formats = useFormats();
  if (charge?.crypto) {
    const { crypto } = charge;
    return (
      <>
        <CryptoDestination crypto={crypto} />
        {(crypto.wallet !== null || crypto.provider_url === null) && <PaymentSteps crypto={crypto} />}
      </>
    );
  }
  const label = charge && t('qrLabel', { amount: formats.reais(charge.amount), merchant: charge.merchant_name });
  return (
    <div className={classes.howToPay} data-loading={!charge} inert={!charge}>
      <PixCode code={charge?.br_code ?? null} loading={!charge} label={label ?? ''} />
      <PaymentSteps />
    </div>
  );
}

/**
 * The page of an address that can't be a charge's; it reads like that of a charge that does not
 * exist.
 */
export const UnknownPayment = () => (
  <PaymentFrame layout="message" trouble={null}>
    <ChargeState state="unknown" values={{ merchant: '' }} />
  </PaymentFrame>
);
