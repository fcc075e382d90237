import { insertAudit } from '#db/audit/audit.ts';
import {
  type ExportedDispute,
  type ExportedRow,
  readDisputesAsPayer,
  readExportedPayees,
  readExportRows,
} from '#db/customers/export-rows.ts';
import { listPersonalRows, type PersonKey } from '#db/customers/personal-data.ts';
import { type SealedColumnName, sealContext } from '#db/encryption/sealed-columns.ts';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { erasableFrom } from '#domain/customers/retention.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { unitsToNumber } from '#domain/quotes/crypto-units.ts';
import { readMetadata } from '#domain/transactions/metadata.ts';
import { toBrl } from '#domain/values/money.ts';
import type { Deps } from '../deps.ts';
import { type EntryOf, findPersonKey, type Person } from './find-person-key.ts';
import { findUnusedRows } from './find-unused-rows.ts';

/** Rows that one statement reads: about a megabyte. */
const ROWS_AT_ONCE = 500;

type ExportDeps = Pick<Deps, 'db' | 'secretBox' | 'clock'> & { settings: Pick<Deps['settings'], 'retentionYears'> };

/**
 * Everything that is stored about a customer of this account, in the clear, for the person
 * themselves (LGPD, art. 18, II and V), as the text of a JSON file: names of members and of other
 * people are not in it, except where a member or a payer typed one into a text. The export is
 * recorded in the audit before anything is read. `max` is the largest number of transactions; null
 * means all. Errors: customer_not_found, customer_too_large.
 */
export async function exportCustomer(
  deps: ExportDeps,
  accountId: string,
  { customerId, max, entryOf }: { customerId: string; max: number | null; entryOf: EntryOf },
): Promise<{ transactions: number; text: string }> {
  const key = await findPersonKey(deps, accountId, customerId);
  await insertAudit(deps.db, entryOf('customer.exported', { subject: customerId }));
  const transactions: ReturnType<typeof exportTransaction>[] = [];
  for (let before: string | null = null; ; ) {
    const page = await listPersonalRows(deps.db.pool, key, { before, limit: ROWS_AT_ONCE, now: deps.clock() });
    if (page.length === 0) break;
    if (max !== null && transactions.length + page.length > max) throw new DomainError('customer_too_large');
    const years = new Map(page.map(({ id, lastYear }) => [id, lastYear]));
    const rows = await readExportRows(deps.db.pool, accountId, [...years.keys()]);
    const until = (id: string) => erasableFrom(years.get(id) ?? null, deps.settings.retentionYears);
    transactions.push(...rows.map((row) => exportTransaction(deps, row, until(row.id))));
    before = page.at(-1)?.id ?? null;
  }
  const file = {
    format: 'trilho-customer-1',
    exported_at: deps.clock().toISOString(),
    account_id: accountId,
    document: key.document,
    pix_key: key.pixKey,
    transactions,
    contested_payments: (await readDisputesAsPayer(deps.db.pool, key)).map((one) => exportDispute(deps, one)),
    address_book: await exportPayees(deps, key),
    rows_of_batches: await exportUnusedRows(deps, key),
  };
  return { transactions: transactions.length, text: `${JSON.stringify(file, null, 2)}\n` };
}

function exportTransaction(deps: ExportDeps, sealed: ExportedRow, from: string | null) {
  const { secretBox } = deps;
  const row = openTransaction(secretBox, sealed);
  const open = (name: SealedColumnName, text: string | null, of: Record<string, string>) =>
    text === null ? null : secretBox.open(text, sealContext(name, of));
  return {
    transaction_id: row.id,
    type: row.type,
    status: row.status,
    sub_status: row.subStatus,
    amount: toBrl(row.amountCentavos),
    settled: {
      gross: toBrl(row.settledGrossCentavos),
      fees: toBrl(row.settledFeeCentavos),
      refunded: toBrl(row.refundedCentavos),
    },
    created_at: row.createdAt,
    expires_at: row.expiresAt,
    paid_at: row.paidAt,
    scheduled_for: row.scheduledFor,
    description: row.description,
    reference: row.reference,
    metadata: readMetadata(row.metadata),
    payer: {
      name: row.customerName,
      email: row.customerEmail,
      phone: row.customerPhone,
      document: row.customerDocument,
    },
    receiver: {
      name: row.receiverName,
      document: row.receiverDocument,
      pix_key: open('transactions.pix_key', row.pixKey, { id: row.id }),
      pix_key_type: row.pixKeyType,
      decline_reason: open('withdrawal_approvals.reason', row.declineReason, { transaction_id: row.id }),
    },
    end_to_end_id: row.endToEndId,
    provider_id: row.providerId,
    crypto: row.currency && {
      currency: row.currency,
      amount: row.units === null ? null : unitsToNumber(row.units),
      wallet: row.wallet,
      memo: row.memo,
      tx_hashes: row.txHashes,
    },
    refunds: row.refunds.map((refund) => ({
      refund_id: refund.id,
      amount: toBrl(BigInt(refund.centavos)),
      status: refund.status,
      description: open('refunds.description', refund.description, { id: refund.id }),
      reference: open('refunds.reference', refund.reference, { id: refund.id }),
      metadata: readMetadata(open('refunds.metadata', refund.metadata, { id: refund.id })),
      created_at: new Date(refund.createdAt),
      finished_at: refund.finishedAt && new Date(refund.finishedAt),
    })),
    reviews: row.reviews.map((review) => ({
      review_id: review.id,
      reason: review.reason,
      expected_amount: toBrl(BigInt(review.expectedCentavos)),
      received_amount: toBrl(BigInt(review.receivedCentavos)),
      end_to_end_id: review.endToEndId,
      created_at: new Date(review.createdAt),
      resolved_at: review.resolvedAt && new Date(review.resolvedAt),
      resolution: review.resolution,
    })),
    disputes: row.disputes.map((dispute) => exportDispute(deps, dispute)),
    payer_notes: row.notes.map(({ id, note }) => open('unmatched_payments.payer_note', note, { id })),
    events: row.events.map(({ type, at }) => ({ type, at: new Date(at) })),
    /** Null: at once. */
    erasable_from: from,
  };
}

const exportDispute = ({ secretBox }: Pick<Deps, 'secretBox'>, dispute: ExportedDispute) => ({
  dispute_id: dispute.id,
  transaction_id: dispute.transactionId,
  reason: dispute.reason,
  state: dispute.state,
  amount: toBrl(BigInt(dispute.centavos)),
  returned_amount: toBrl(BigInt(dispute.returnedCentavos)),
  opened_at: new Date(dispute.openedAt),
  closed_at: dispute.closedAt && new Date(dispute.closedAt),
  answer: dispute.answer,
  answer_text:
    dispute.answerText && secretBox.open(dispute.answerText, sealContext('disputes.answer_text', { id: dispute.id })),
  files: dispute.files.map(({ id, fileName }) =>
    secretBox.open(fileName, sealContext('dispute_files.file_name', { id })),
  ),
});

async function exportPayees({ db, secretBox }: ExportDeps, key: PersonKey) {
  const payees = await readExportedPayees(db.pool, key);
  return payees.map(({ id, label, addedAt, removedAt }) => ({
    payee_id: id,
    label: secretBox.open(label, sealContext('payees.label', { id })),
    added_at: addedAt,
    removed_at: removedAt,
  }));
}

/** Rows of batches from which no withdrawal was made. */
async function exportUnusedRows(deps: ExportDeps, person: Person) {
  const batches = await findUnusedRows(deps, person);
  return batches.flatMap(({ batchId, madeAt, rows }) =>
    rows.map(({ number, failure, row }) => ({
      batch_id: batchId,
      row: number,
      amount: toBrl(row.amountCentavos),
      pix_key: row.pixKey,
      pix_key_type: row.pixKeyType,
      description: row.description,
      reference: row.reference,
      made_at: madeAt,
      failure,
    })),
  );
}
