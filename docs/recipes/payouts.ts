import { ApiError, OutcomeUnknownError, type PixWithdrawalParams, Trilho } from 'trilho-node';

const { TRILHO_URL = '', TRILHO_API_KEY = '' } = process.env;
const trilho = new Trilho({ baseUrl: TRILHO_URL, apiKey: TRILHO_API_KEY });

/** A row of your database: what is to be paid, and how far that is. */
export type Payout = Pick<PixWithdrawalParams, 'amount' | 'pixKey' | 'pixKeyType'> & {
  /** Of the invoice. Nothing else of the account ever has it as reference. */
  id: string;
  state: 'open' | 'unknown' | 'sent' | 'paid' | 'failed';
  /** One more than how often it was rejected or failed for certain. */
  attempt: number;
  transactionId?: string;
  /** The code of the error, or of the failure. */
  why?: string | undefined;
};

/** Sends what is open, or unknown; stops when the money is used up. Run it as often as you like. */
export async function sendPayouts(payouts: readonly Payout[]): Promise<void> {
  for (const payout of payouts) {
    if (payout.state !== 'open' && payout.state !== 'unknown') continue;
    await send(payout);
    if (payout.why === 'insufficient_funds') return;
  }
}

async function send(payout: Payout): Promise<void> {
  const { id, amount, pixKey, pixKeyType, attempt } = payout;
  try {
    const { transaction_id } = await trilho.withdrawals.pix(
      { amount, pixKey, pixKeyType, description: `Fatura ${id}`, reference: id, referenceUnique: true },
      { idempotencyKey: `payout-${id}-${attempt}` },
    );
    Object.assign(payout, { state: 'sent', transactionId: transaction_id, why: undefined });
  } catch (error) {
    // Nothing says whether it was sent: the next run asks with the same key, and pays once.
    if (error instanceof OutcomeUnknownError) payout.state = 'unknown';
    else if (!(error instanceof ApiError)) throw error;
    // Nor does this, of what an earlier run has sent.
    else if (payout.state === 'unknown' && isBeforeTheKey(error)) payout.why = error.code ?? undefined;
    // Nothing was sent, for certain: the next run is another attempt.
    else Object.assign(payout, { state: 'open', attempt: attempt + 1, why: error.code });
  }
}

/** A proxy's answer, and what the service says before it looks at the key. */
const isBeforeTheKey = ({ code, status }: ApiError) => code === null || [401, 403, 429].includes(status);

/** Reads the outcome of what was sent; pix_out.paid and pix_out.failed report the same at once. */
export async function settlePayouts(payouts: readonly Payout[]): Promise<void> {
  for (const payout of payouts) {
    if (payout.state !== 'sent' || !payout.transactionId) continue;
    const { status, failure } = await trilho.withdrawals.get(payout.transactionId);
    if (status === 'paid') payout.state = 'paid';
    // Amount and fee are back in the balance. Look at the code before you make it open again.
    if (status === 'failed')
      Object.assign(payout, { state: 'failed', attempt: payout.attempt + 1, why: failure?.code });
  }
}
