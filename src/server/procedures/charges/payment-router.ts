import { z } from 'zod';
import { isFinalPayment } from '#contract/charges/is-final-payment.ts';
import { type PaymentPageStatus, paymentPageInput, paymentPageOutput } from '#contract/charges/payment-status.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { CURRENCIES, isCurrencyCode } from '#domain/quotes/currencies.ts';
import { timeAtAccount } from '#services/accounts/on-test-clock.ts';
import { getPaymentPage } from '#services/charges/get-payment-page.ts';
import type { Context } from '../context.ts';
import { encoded } from '../encoded.ts';
import { publicProcedure, router } from '../procedure.ts';
import { toTrpcError } from '../trpc-errors.ts';

/** A call that came over no page. */
const UNKNOWN_VISITOR = '';

type Page = Awaited<ReturnType<typeof getPaymentPage>>;
type PaymentPage = z.output<typeof paymentPageOutput>;

export const paymentRouter = router({
  /** What the payment page shows: the link is enough. */
  get: publicProcedure
    .input(paymentPageInput)
    .output(encoded(paymentPageOutput))
    .query(async ({ ctx, input }) => present(await getPaymentPage(ctx.deps, input.transactionId), ctx.deps)),

  /**
   * The payment page over SSE: at once, and whenever it has changed, until nothing can change any
   * more. Each message says everything, so that a browser that comes back has missed nothing.
   */
  follow: publicProcedure.input(paymentPageInput).subscription(async function* ({ ctx, input, signal }) {
    const visitor = ctx.panel?.visitor ?? UNKNOWN_VISITOR;
    try {
      for await (const page of ctx.deps.paymentFeed.follow({ ...input, visitor, signal })) {
        const shown = present(page, ctx.deps);
        yield z.encode(paymentPageOutput, shown);
        if (isFinalPayment(shown.status)) return;
      }
    } catch (error) {
      throw error instanceof DomainError ? toTrpcError(error) : error;
    }
  }),
});

const present = (page: Page, deps: Pick<Context['deps'], 'clock'>): PaymentPage => ({
  transaction_id: page.id,
  status: statusOf(page),
  amount: page.amountCentavos,
  merchant_name: page.merchantName,
  description: page.description,
  br_code: page.brCode,
  crypto: presentCrypto(page),
  created_at: page.createdAt,
  expires_at: page.expiresAt,
  paid_at: page.paidAt,
  livemode: page.livemode,
  server_time: timeAtAccount(deps, page),
});

/** The status in a payer's terms: a payer has paid, whatever happened to the money afterwards. */
function statusOf({ status, subStatus }: Page): PaymentPageStatus {
  if (status === 'pending' && subStatus === 'detected') return 'detected';
  if (status === 'completed') {
    if (subStatus === 'underpaid') return 'underpaid';
    return subStatus === 'overpaid' || subStatus === 'paid_again' ? 'overpaid' : 'paid';
  }
  if (status === 'refunded') return 'paid';
  return status === 'processing' ? 'pending' : status;
}

function presentCrypto(page: Page): PaymentPage['crypto'] {
  const { currency, units, receivedUnits } = page;
  if (currency === null || units === null || !isCurrencyCode(currency)) return null;
  const { asset, network } = CURRENCIES[currency];
  return {
    currency,
    asset,
    network,
    wallet: page.wallet,
    memo: page.memo,
    provider_url: page.providerUrl,
    amount: units,
    received: receivedUnits,
    missing: receivedUnits < units ? units - receivedUnits : 0n,
    confirmations: page.confirmations,
    confirmations_needed: page.confirmationsNeeded,
  };
}
