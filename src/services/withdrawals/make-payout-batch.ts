import type { AccountTerms } from '#db/accounts/account-terms.ts';
import {
  BATCH_ROWS_INDEX,
  batchRowsAsWritten,
  batchRowsOfAccount,
  sealContext,
} from '#db/encryption/sealed-columns.ts';
import { findBalances } from '#db/ledger/ledger.ts';
import {
  findBatch,
  findBatchOfRows,
  findUnapprovedBatchOfRows,
  listBatchRows,
  makeBatch,
  type NewBatch,
} from '#db/withdrawals/payout-batches.ts';
import { currentThresholds } from '#db/withdrawals/thresholds.ts';
import { feeOf } from '#domain/accounts/fees.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { ID_KEPT_MS } from '#domain/transactions/id-age.ts';
import { toBrl } from '#domain/values/money.ts';
import { instantOfUuid, uuidv7 } from '#domain/values/uuid.ts';
import { APPROVE_WITHIN_MS } from '#domain/withdrawals/approvals.ts';
import { encodeBatchRows } from '#domain/withdrawals/batch-rows.ts';
import type { BatchIssue, BatchRow, ParsedBatch } from '#domain/withdrawals/payout-batch.ts';
import { rangeIssueOf } from '../accounts/check-limits.ts';
import { getLimits } from '../accounts/get-limits.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { openBatchRows } from './get-payout-batch.ts';
import { openPixRail } from './new-pix-withdrawal.ts';
import { isPassed, type WindowLimit, windowLimitsOf } from './preview-withdrawal.ts';
import { rejectMoneyOut } from './reject-money-out.ts';
import { type Sendable, sendableOf } from './sendable-of.ts';
import { withdrawalTerms } from './withdrawal-terms.ts';

/** What an account without balances could send. */
const NOTHING: Sendable = { availableCentavos: 0n, atOwnProviderCentavos: 0n };

type BatchFigures = Sendable & {
  issues: readonly BatchIssue[];
  count: number;
  /** Without the fees. */
  amountCentavos: bigint;
  feeCentavos: bigint;
  /** The limits that the sum would pass if the rows were run now: the rows above them fail. */
  passedLimits: WindowLimit[];
  needsApproval: boolean;
  /** The account's existing batch of these rows; null when there is none. */
  batchId: string | null;
};

/**
 * The batch that a file would make now; nothing is stored. Errors: account_suspended,
 * kyc_not_approved.
 */
export async function previewPayoutBatch(deps: Deps, accountId: string, parsed: ParsedBatch): Promise<BatchFigures> {
  const terms = await withdrawalTerms(deps, accountId);
  const balances = await findBalances(deps.db.pool, accountId);
  const { approval } = await currentThresholds(deps.db.pool, accountId, deps.clock());
  const fee = terms.fees.pix_out;
  const batchId = parsed.issues.length === 0 ? await findMadeBatch(deps, accountId, parsed.rows) : null;
  // Limits that changed since are no issue of a batch that exists.
  const { rows, issues } = batchId === null ? withRangeIssues(terms, parsed) : parsed;
  const amountCentavos = sumOf(rows.map((row) => row.amountCentavos));
  const limits = windowLimitsOf(await getLimits(deps, accountId), 'pix_out');
  return {
    issues,
    count: rows.length,
    amountCentavos,
    feeCentavos: fee ? sumOf(rows.map((row) => feeOf(row.amountCentavos, fee))) : 0n,
    ...(balances ? sendableOf(balances, terms, 'api_pix') : NOTHING),
    passedLimits: limits.filter((limit) => isPassed(limit, amountCentavos)),
    needsApproval: approval !== null && amountCentavos > approval,
    batchId,
  };
}

/**
 * Makes a batch of a file's rows, which the worker runs; above the account's threshold, only after
 * a second person has approved all of it. The same rows again return the existing batch (`isNew`
 * false) and do nothing. The rows of a batch that was declined, or not approved in time, or of
 * which every row failed, make a new batch, because nothing of it was sent. Those of the first two
 * keep their ids for ID_KEPT_MS: a database that was lost may have had the batch approved, and what
 * it sent is paid once under its id.
 *
 * Errors, in this order: invalid_input (a row has an issue: nothing is stored), account_suspended,
 * kyc_not_approved, rail_closed, own_credentials_required, rail_not_configured, invalid_input (a
 * row is outside the account's range for one withdrawal), withdrawals_paused.
 */
export async function makePayoutBatch(
  deps: Deps,
  who: ActingMember,
  parsed: ParsedBatch,
): Promise<{ batchId: string; isNew: boolean }> {
  const { accountId, member } = who;
  rejectIssues(parsed);
  // Throws what would reject every row, instead of making a batch that sends nothing.
  const { terms } = await openPixRail(deps, accountId);
  const { rows } = parsed;
  if ((await findMadeBatch(deps, accountId, rows)) === null) rejectIssues(withRangeIssues(terms, parsed));
  const now = deps.clock();
  const id = uuidv7(now);
  const centavos = sumOf(rows.map((row) => row.amountCentavos));
  const { memberId } = member;
  const rowsIndexes = rowsIndexesOf(deps, accountId, rows);
  const batch = {
    ...{ id, accountId, memberId, now, rowsIndexes },
    sealed: deps.secretBox.seal(encodeBatchRows(rows), sealContext('payout_batches.sealed', { id })),
    rows: await withIds(deps, { accountId, rowsIndexes, rows, now }),
    decideUntil: new Date(now.getTime() + APPROVE_WITHIN_MS),
  };
  const details = { batch_id: id, rows: rows.length, amount: toBrl(centavos) };
  const outcome = await makeBatch(deps.db.pool, batch, memberEntry(deps, who, 'withdrawal.batch_made', details));
  await rejectMoneyOut(deps, outcome, { accountId, by: { keyId: null, memberId }, now });
  if (outcome === 'exists') {
    const batchId = await findBatchOfRows(deps.db.pool, batch);
    // It was declined, or its last row failed, meanwhile: nothing of it was sent.
    return batchId === null ? makePayoutBatch(deps, who, parsed) : { batchId, isNew: false };
  }
  deps.wakeWorkers();
  return { batchId: id, isNew: true };
}

/** Adds the issues of the rows that the account's range for one withdrawal would reject. */
function withRangeIssues(terms: AccountTerms, { rows, lines, issues }: ParsedBatch): ParsedBatch {
  const read = rows.map((row, at) => ({
    row,
    line: lines[at] ?? 0,
    issue: rangeIssueOf(terms, 'pix_out', row.amountCentavos),
  }));
  const inRange = read.filter(({ issue }) => issue === null);
  const outside = read.flatMap(({ line, issue }) => (issue ? [{ ...issue, line, column: 'valor' as const }] : []));
  return {
    rows: inRange.map(({ row }) => row),
    lines: inRange.map(({ line }) => line),
    issues: [...issues, ...outside].sort((a, b) => a.line - b.line),
  };
}

function rejectIssues({ issues }: ParsedBatch): void {
  if (issues.length === 0) return;
  const details = issues.map(({ line, column, ...issue }) => ({ ...issue, field: `${line}.${column ?? ''}` }));
  throw new DomainError('invalid_input', { details });
}

/**
 * Gives each row an id: the one that it had in the account's last batch of these rows that was
 * declined, or not approved in time. Of one that was made too long ago it has a new one: lists of a
 * time would not find a withdrawal with that id, and the provider's statement has shown by now what
 * a database that was lost has sent.
 */
async function withIds(
  deps: Deps,
  of: { accountId: string; rowsIndexes: readonly Buffer[]; rows: readonly BatchRow[]; now: Date },
): Promise<NewBatch['rows']> {
  const { rows, now } = of;
  const ids = new Map<string, string[]>();
  const earlierId = await findUnapprovedBatchOfRows(deps.db.pool, of);
  const isKept = earlierId && now.getTime() - instantOfUuid(earlierId).getTime() <= ID_KEPT_MS;
  const earlier = isKept ? await findBatch(deps.db.pool, earlierId) : null;
  if (earlier) {
    const texts = openBatchRows(deps, earlier);
    for (const { number, withdrawalId } of await listBatchRows(deps.db.pool, earlier.id)) {
      const row = texts[number - 1];
      if (row) ids.set(textOf(row), [...(ids.get(textOf(row)) ?? []), withdrawalId]);
    }
  }
  return rows.map((row) => {
    const had = ids.get(textOf(row))?.shift();
    const fresh = uuidv7(now);
    return { withdrawalId: had ?? fresh, earlierRowNewId: had ? fresh : null, centavos: row.amountCentavos };
  });
}

/** A row as it is compared, in whichever form its accents were written. */
const textOf = (row: BatchRow): string => encodeBatchRows([row]).normalize('NFC');

const findMadeBatch = (deps: Deps, accountId: string, rows: readonly BatchRow[]): Promise<string | null> =>
  findBatchOfRows(deps.db.pool, { accountId, rowsIndexes: rowsIndexesOf(deps, accountId, rows), now: deps.clock() });

/** What the index of these rows may be: the one of now first, then those of earlier batches. */
function rowsIndexesOf(
  { secretBox }: Pick<Deps, 'secretBox'>,
  accountId: string,
  rows: readonly BatchRow[],
): readonly [Buffer, ...Buffer[]] {
  const text = encodeBatchRows(rows);
  return [
    ...secretBox.fingerprints(batchRowsOfAccount(accountId, text), BATCH_ROWS_INDEX),
    ...secretBox.fingerprints(batchRowsAsWritten(accountId, text), BATCH_ROWS_INDEX),
  ];
}

const sumOf = (all: readonly bigint[]): bigint => all.reduce((sum, one) => sum + one, 0n);
