import type { Charge, Trilho } from 'trilho-node';

/**
 * Prints what the test reads from the README's examples: a line of JSON for each step, after a `@`.
 */
export function report(step: string, values: object = {}): void {
  console.log(`@${JSON.stringify({ step, ...values })}`);
}

const WAIT_MS = 20_000;

/** Reports a charge, which the test then pays, and waits until it is paid. */
export async function untilPaid(trilho: Trilho, { transaction_id: transactionId }: Pick<Charge, 'transaction_id'>) {
  report('charged', { transactionId });
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline; ) {
    const { paid_at } = await trilho.transactions.status(transactionId, 'pix_in');
    if (paid_at !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The charge was not paid in ${WAIT_MS / 1_000} s.`);
}
