'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useEffect } from 'react';
import type { PaymentPageData } from '#contract/payment-page.ts';
import { ActionButton } from '#panel/action-button.tsx';
import { formatReais } from '#panel/format.ts';
import { ChargeDetails } from './charge-details.tsx';
import { ChargeState } from './charge-state.tsx';
import { ChargeSummary } from './charge-summary.tsx';
import { Countdown } from './countdown.tsx';
import { PaymentFrame } from './payment-frame.tsx';
import { PaymentSteps } from './payment-steps.tsx';
import { PixCode } from './pix-code.tsx';
import type { Knowledge } from './polling.ts';
import { usePayment } from './use-payment.ts';

/** The payer's page of one PIX charge: what to pay, how, and, by itself, that it is paid. */
export function PaymentPage({ transactionId }: { transactionId: string }) {
  const t = useTranslations('pay');
  const language = useLocale();
  const { knowledge, charge, receivedAt, trouble, askAgain } = usePayment(transactionId);
  useTitle(knowledge, charge);

  if (knowledge === 'unknown' || knowledge === 'unreachable') {
    return (
      <PaymentFrame layout="message" trouble={trouble}>
        <ChargeState knowledge={knowledge} merchant="">
          {knowledge === 'unreachable' && (
            <ActionButton quiet onClick={() => askAgain()}>
              {t('retry')}
            </ActionButton>
          )}
        </ChargeState>
      </PaymentFrame>
    );
  }

  const payable = knowledge === 'pending' || knowledge === 'loading';
  const merchant = charge?.merchant_name ?? '';
  const qrLabel = charge ? t('qrLabel', { amount: formatReais(charge.amount, language), merchant }) : '';
  return (
    <PaymentFrame layout={payable ? 'payable' : 'done'} test={charge?.livemode === false} trouble={trouble}>
      <ChargeSummary charge={charge} />
      <ChargeState knowledge={knowledge} merchant={merchant}>
        {knowledge === 'pending' && charge?.expires_at && (
          <Countdown expiresAt={charge.expires_at} serverTime={charge.server_time} receivedAt={receivedAt} />
        )}
      </ChargeState>
      {payable && <PixCode code={charge?.br_code ?? null} loading={!charge} label={qrLabel} />}
      {payable && <PaymentSteps />}
      {!payable && charge && <ChargeDetails charge={charge} />}
    </PaymentFrame>
  );
}

/** The tab's title says what to do, then what became of it. */
function useTitle(knowledge: Knowledge, charge: PaymentPageData | undefined) {
  const t = useTranslations('pay');
  const language = useLocale();
  const merchant = charge?.merchant_name;
  const amount = charge && formatReais(charge.amount, language);
  useEffect(() => {
    if (knowledge === 'loading') return;
    if (!merchant || !amount) document.title = t(`states.${knowledge}.title`);
    else if (knowledge === 'pending') document.title = t('titlePay', { amount, merchant });
    else document.title = t('titleState', { state: t(`states.${knowledge}.title`), merchant });
  }, [t, knowledge, merchant, amount]);
}
