import { DomainError } from '#domain/errors/domain-error.ts';
import { timeAtAccount } from '../accounts/on-test-clock.ts';
import type { Deps } from '../deps.ts';
import { getPaymentPage } from './get-payment-page.ts';

/**
 * The text of the QR code of a charge or an invoice: the BR Code, or the wallet's address as the
 * payment page shows it. Only while it awaits its payment: money that is sent to a closed one has
 * to be returned, or is lost. Errors: transaction_not_found (also before there is a code, and for
 * an invoice that is paid on the processor's own page), charge_not_payable.
 */
export async function getPaymentCode(deps: Pick<Deps, 'db' | 'secretBox' | 'clock'>, id: string): Promise<string> {
  const { status, subStatus, expiresAt, brCode, wallet, aheadMs } = await getPaymentPage(deps, id);
  // A `detected` invoice has all of its coins on the way already.
  const isAwaited = status === 'pending' && subStatus !== 'detected';
  if (!isAwaited || expiresAt <= timeAtAccount(deps, { aheadMs })) throw new DomainError('charge_not_payable');
  const code = brCode ?? wallet;
  if (code === null) throw new DomainError('transaction_not_found');
  return code;
}
