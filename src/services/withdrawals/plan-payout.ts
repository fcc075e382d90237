import { createHash } from 'node:crypto';
import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { openTransaction, sealTransactionText } from '#db/transactions/transaction-texts.ts';
import type { PlannedPayout, ScheduledPayoutRow, ScheduleTerms } from '#db/withdrawals/scheduled-payouts.ts';
import type { WithdrawalRow } from '#db/withdrawals/withdrawals.ts';
import { feeOf } from '#domain/accounts/fees.ts';
import { readMetadata } from '#domain/transactions/metadata.ts';
import { beginsAt, dateOfOccurrence, mayBeginUntil } from '#domain/withdrawals/payout-schedule.ts';
import { pixKeyType } from '#domain/withdrawals/pix-key.ts';
import type { PixReceiver } from '#rails/ports.ts';
import type { Deps } from '../deps.ts';
import { newPixWithdrawal, type PixWithdrawalInput } from './new-pix-withdrawal.ts';
import { openPixKey } from './request-pix-withdrawal.ts';

/** Makes one payout of a schedule for the database, with its texts sealed. */
export function planPayout(
  deps: Pick<Deps, 'secretBox'>,
  input: PixWithdrawalInput,
  terms: { accountId: string; rail: string; feeCentavos: bigint; now: Date },
  plan: ScheduleTerms & { number: number; date: string; owner: PixReceiver | null },
): PlannedPayout {
  const { date, owner, ...schedule } = plan;
  const { secretBox } = deps;
  const seal = (name: 'receiverName' | 'receiverDocument', text: string | null) =>
    sealTransactionText(secretBox, input.id, name, text);
  const name = seal('receiverName', owner?.name ?? null);
  return {
    ...schedule,
    withdrawal: newPixWithdrawal(deps, input, terms),
    receiver: name === null ? null : { name, document: seal('receiverDocument', owner?.document ?? null) },
    scheduledFor: beginsAt(date),
    beginsUntil: mayBeginUntil(date, plan.ifMissed),
  };
}

/**
 * The payout of a schedule after this one, at the current fee and over the account's rail of today:
 * what it holds is held over that rail. Null where it was the last one.
 */
export async function planNextPayout(
  deps: Deps,
  withdrawal: WithdrawalRow,
  planned: ScheduledPayoutRow,
): Promise<PlannedPayout | null> {
  const number = planned.number + 1;
  const date = dateOfOccurrence(planned, number);
  if (date === null) return null;
  const { accountId, amountCentavos } = withdrawal;
  const keyType = pixKeyType(withdrawal.pixKeyType ?? '');
  const terms = await findAccountTerms(deps.db.pool, accountId, deps.clock());
  if (keyType === null || !terms) throw new Error(`Withdrawal ${withdrawal.id} has no key or no account.`);
  const { mode, credentials } = terms;
  const today = await deps.rails.pixFor({ mode, credentialId: credentials.api_pix ?? null });
  const rail = today?.name ?? withdrawal.rail;
  const { description, reference, metadata } = openTransaction(deps.secretBox, withdrawal);
  // All payouts of a schedule have its reference, so only the first one's can be unique.
  const merchantFields = { reference, referenceUnique: false, metadata: readMetadata(metadata) };
  const id = occurrenceId(planned.scheduleId, number, planned.scheduledFor);
  const feeCentavos = terms.fees.pix_out ? feeOf(amountCentavos, terms.fees.pix_out) : 0n;
  const { scheduleId, firstOn, repeat, reserve, ifMissed } = planned;
  return planPayout(
    deps,
    { id, amountCentavos, pixKey: openPixKey(deps, withdrawal), pixKeyType: keyType, description, merchantFields },
    { accountId, rail, feeCentavos, now: deps.clock() },
    { scheduleId, firstOn, repeat, reserve, ifMissed, number, date, owner: ownerAtCreation(deps, withdrawal, planned) },
  );
}

/** Finds who owned the key when the schedule was made; null when the PSP did not say. */
export function ownerAtCreation(
  deps: Pick<Deps, 'secretBox'>,
  { id }: Pick<WithdrawalRow, 'id'>,
  { receiverName, receiverDocument }: Pick<ScheduledPayoutRow, 'receiverName' | 'receiverDocument'>,
): PixReceiver | null {
  const { receiverName: name, receiverDocument: document } = openTransaction(deps.secretBox, {
    ...{ id, receiverName, receiverDocument },
  });
  return name === null ? null : { name, document };
}

/** The bits of a UUIDv7 after its time and version, as hexadecimal digits. */
const RANDOM_DIGITS = 18;

/**
 * The id of a later payout of a schedule: a UUIDv7 of the instant of the payout before it, with a
 * hash of the schedule and the number instead of random bits. A database that was restored from a
 * backup thus plans a payout under the same id, under which the PSP pays once.
 */
function occurrenceId(scheduleId: string, number: number, before: Date): string {
  const time = before.getTime().toString(16).padStart(12, '0');
  const hash = createHash('sha256').update(`${scheduleId} ${number}`).digest('hex').slice(0, RANDOM_DIGITS);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6)}`;
}
