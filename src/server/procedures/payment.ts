import {
  type CryptoPaymentData,
  type PaymentPageStatus,
  paymentPageInput,
  paymentPageOutput,
} from '#contract/payment-page.ts';
import { unitsToDecimal } from '#domain/crypto-units.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/currencies.ts';
import { toBrl } from '#domain/money.ts';
import { getPaymentPage } from '#services/get-payment-page.ts';
import { publicProcedure, router } from './procedure.ts';

type Page = Awaited<ReturnType<typeof getPaymentPage>>;

export const paymentRouter = router({
  /** What the payment page shows: whoever has the link may ask. */
  get: publicProcedure
    .input(paymentPageInput)
    .output(paymentPageOutput)
    .query(async ({ ctx, input }) => {
      const page = await getPaymentPage(ctx.deps, input.transactionId);
      return {
        transaction_id: page.id,
        status: statusOf(page),
        amount: toBrl(page.amountCentavos),
        merchant_name: page.merchantName,
        description: page.description,
        br_code: page.brCode,
        crypto: presentCrypto(page),
        created_at: page.createdAt.toISOString(),
        expires_at: page.expiresAt?.toISOString() ?? null,
        paid_at: page.paidAt?.toISOString() ?? null,
        livemode: page.livemode,
        server_time: ctx.deps.clock().toISOString(),
      };
    }),
});

/** What a payer calls it: a payer has paid, whatever became of the money afterwards. */
function statusOf({ status, subStatus }: Page): PaymentPageStatus {
  if (status === 'pending' && subStatus === 'detected') return 'detected';
  if (status === 'completed') {
    if (subStatus === 'underpaid') return 'underpaid';
    return subStatus === 'overpaid' || subStatus === 'paid_again' ? 'overpaid' : 'paid';
  }
  if (status === 'refunded') return 'paid';
  return status === 'processing' ? 'pending' : status;
}

function presentCrypto(page: Page): CryptoPaymentData | null {
  const { currency, units, receivedUnits } = page;
  if (currency === null || units === null || !isCurrencyCode(currency)) return null;
  const { name, asset, network } = CURRENCIES[currency];
  return {
    currency,
    currency_name: name,
    asset,
    network,
    wallet: page.wallet,
    memo: page.memo,
    provider_url: page.providerUrl,
    amount: unitsToDecimal(units),
    received: unitsToDecimal(receivedUnits),
    missing: unitsToDecimal(receivedUnits < units ? units - receivedUnits : 0n),
    confirmations: page.confirmations,
    confirmations_needed: page.confirmationsNeeded,
  };
}
