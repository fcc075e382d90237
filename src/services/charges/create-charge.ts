import { type AccountTerms, areInForce } from '#db/accounts/account-terms.ts';
import { findAccountId } from '#db/accounts/accounts.ts';
import { findCharge, insertCharge, type NewCharge, setBrCode } from '#db/charges/charges.ts';
import { feeOf } from '#domain/accounts/fees.ts';
import { nextChargeCheck } from '#domain/charges/next-charge-check.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import type { MerchantFields } from '#domain/transactions/merchant-fields.ts';
import { uuidToTxid } from '#domain/values/uuid.ts';
import type { Outcome, PixCharge, PixRail } from '#rails/ports.ts';
import { checkRange } from '../accounts/check-limits.ts';
import { termsAt } from '../accounts/terms-at.ts';
import type { Deps } from '../deps.ts';
import { findLostToPayer } from '../disputes/find-lost-to-payer.ts';
import { findOpenPixRail } from '../rails/open-rails.ts';
import { referenceTaken } from '../transactions/seal-merchant-fields.ts';
import { requireCallable } from '../webhooks/require-callable.ts';
import { failCharge } from './fail-charge.ts';
import { type Customer, sealTexts } from './seal-texts.ts';

export type CreateChargeInput = {
  /** The id that the charge gets; a repeated request has the same one. */
  id: string;
  amountCentavos: bigint;
  customer: Customer;
  description: string | null;
  callbackUrl: string | null;
  /** How long the charge can be paid; null: the installation's default. */
  expiresInSeconds: number | null;
  merchantFields: MerchantFields;
  split: { receiverAccountId: string | null; receiverEmail: string | null; centavos: bigint } | null;
};

/** `split`: who else is credited, and how many centavos; null: no one. */
export type CreatedCharge = Pick<NewCharge, 'id' | 'split' | 'expiresAt' | 'createdAt'> & { brCode: string };

/**
 * Creates a PIX charge: written first, then asked of the PSP under an id derived from ours, so that
 * a callback that is early finds it and asking twice is safe. A charge of this id that an earlier
 * attempt wrote is continued.
 *
 * Errors, in this order: invalid_input (callback URL, split), rail_closed,
 * own_credentials_required, rail_not_configured, invalid_amount (nothing or less), below_minimum,
 * above_maximum, reference_taken (with `transaction_id`), charge_not_created (the PSP rejected it,
 * its outcome is unknown, or the time of an attempt that is continued is over; the charge ends as
 * `failed`, and is credited all the same should a payment of it arrive).
 */
export async function createCharge(
  deps: Deps,
  account: AccountTerms,
  input: CreateChargeInput,
): Promise<CreatedCharge> {
  try {
    return await createNow(deps, account, input);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'charge_not_created') throw error;
    // An earlier attempt may have written the charge when the checks before that still passed.
    if (await findCharge(deps.db.pool, input.id)) return resumeCharge(deps, account, input);
    throw error;
  }
}

async function createNow(deps: Deps, account: AccountTerms, input: CreateChargeInput): Promise<CreatedCharge> {
  const fee = account.fees.pix_in;
  // An amount out of range is rejected below: other errors come first.
  const feeCentavos = fee && input.amountCentavos > 0n ? feeOf(input.amountCentavos, fee) : 0n;
  if (input.callbackUrl !== null) await requireCallable(deps, account.mode, input.callbackUrl, 'callbackUrl');
  const split = await resolveSplit(deps, account, input, input.amountCentavos - feeCentavos);
  const rail = await findOpenPixRail(deps, account, 'pix_in');
  if (!rail) throw new DomainError('rail_not_configured');
  checkRange(account, 'pix_in', input.amountCentavos);

  const now = deps.clock();
  // Other terms have taken effect since the fee was computed.
  if (!areInForce(account, now)) return createNow(deps, await termsAt(deps, account, now), input);
  const expiresInSeconds = input.expiresInSeconds ?? deps.settings.chargeExpirySeconds;
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000);
  const charge: NewCharge = {
    id: input.id,
    accountId: account.accountId,
    amountCentavos: input.amountCentavos,
    feeCentavos,
    netCentavos: input.amountCentavos - feeCentavos - (split?.centavos ?? 0n),
    split,
    ...sealTexts(deps, account.accountId, input),
    callbackUrl: input.callbackUrl,
    rail: rail.name,
    createdAt: now,
    expiresAt,
    checkAt: nextChargeCheck(now, expiresAt, now),
  };
  const outcome = await insertCharge(deps.db.pool, charge);
  if (outcome === 'reference_taken') throw await referenceTaken(deps, account.accountId, charge.id, charge.merchant);
  if (outcome === 'exists') return resumeCharge(deps, account, input);
  const [issued] = await Promise.all([issue(deps, rail, charge, input), warnOfPayer(deps, charge, input)]);
  return issued;
}

/** Logs a warning where the account has lost a dispute to this payer; never throws. */
async function warnOfPayer(
  deps: Deps,
  { id, accountId, createdAt }: NewCharge,
  { customer: { document } }: CreateChargeInput,
): Promise<void> {
  try {
    const lost = await findLostToPayer(deps, { accountId, document, before: createdAt });
    if (lost) {
      const fields = { transactionId: id, disputeId: lost.disputeId };
      deps.log.warn(fields, 'A charge names a payer to whom its account has lost a dispute.');
    }
  } catch (error) {
    deps.log.warn({ err: error, transactionId: id }, 'Lost disputes of a payer could not be looked up.');
  }
}

/** Resumes a charge whose first attempt ended half-way, with the times it was written with. */
async function resumeCharge(deps: Deps, account: AccountTerms, input: CreateChargeInput): Promise<CreatedCharge> {
  const charge = await findCharge(deps.db.pool, input.id);
  if (charge?.accountId !== account.accountId) throw new Error(`Charge ${input.id} is of another account.`);
  const { splitAccountId, splitCentavos } = charge;
  const split = splitAccountId === null ? null : { accountId: splitAccountId, centavos: splitCentavos };
  if (charge.brCode !== null) return { ...charge, split, brCode: charge.brCode };
  const rail = await deps.rails.pixNamed(charge.rail);
  if (!rail || charge.status === 'failed' || charge.status === 'cancelled') {
    throw new DomainError('charge_not_created');
  }
  return issue(deps, rail, { ...charge, split }, input);
}

/**
 * Asks the PSP for the charge and keeps its code. An attempt that ended half-way may be continued
 * much later: it is asked for what is left of the charge's time, so that it can't be paid at the
 * PSP for longer than it says.
 */
async function issue(
  deps: Deps,
  rail: PixRail,
  charge: Omit<CreatedCharge, 'brCode'>,
  input: CreateChargeInput,
): Promise<CreatedCharge> {
  const { name, document, documentType } = input.customer;
  const leftMs = charge.expiresAt.getTime() - deps.clock().getTime();
  const created: Outcome<PixCharge> =
    leftMs <= 0
      ? { outcome: 'rejected', reason: 'the time of the charge is over' }
      : await rail.createCharge({
          txid: uuidToTxid(charge.id),
          amountCentavos: input.amountCentavos,
          expiresInSeconds: Math.ceil(leftMs / 1000),
          payer: name && document && documentType ? { name, document, documentType } : null,
          description: input.description,
        });
  if (created.outcome !== 'done' || created.value.brCode === null) {
    const reason = created.outcome === 'done' ? 'no pixCopiaECola' : created.reason;
    deps.log.warn({ transactionId: charge.id, outcome: created.outcome, reason }, 'The PSP did not create a charge.');
    await failCharge(deps, charge.id);
    throw new DomainError('charge_not_created');
  }
  await setBrCode(deps.db.pool, charge.id, created.value.brCode);
  return { ...charge, brCode: created.value.brCode };
}

/**
 * Finds who else gets how much of the net amount. Throws invalid_input for a receiver that can't be
 * found or is the account itself, and for a share above the net amount.
 */
async function resolveSplit(deps: Deps, account: AccountTerms, { split }: CreateChargeInput, netCentavos: bigint) {
  if (!split) return null;
  const receiver = await findAccountId(deps.db.pool, {
    accountId: split.receiverAccountId,
    email: split.receiverEmail,
    mode: account.mode,
  });
  const field = split.receiverAccountId === null ? 'splitReceiverEmail' : 'splitReceiverUserId';
  if (receiver === null) throw invalidField(fieldIssue(field, 'split_receiver_not_found'));
  if (receiver === account.accountId) throw invalidField(fieldIssue(field, 'split_receiver_is_self'));
  if (split.centavos > netCentavos) throw invalidField(fieldIssue('splitAmount', 'split_above_net'));
  return { accountId: receiver, centavos: split.centavos };
}
