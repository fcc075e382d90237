import type pg from 'pg';
import type { ListedType, TransactionStatus } from '#domain/transactions/transaction-states.ts';
import { FIGURE_COLUMNS, type Figures, figuresOf } from '../reports/figures.ts';
import type { PersonKey } from './personal-data.ts';

/**
 * Refunds, reviews, disputes and events come as JSON: their amounts are centavos as texts, their
 * instants ISO 8601.
 */
export type ExportedRow = Figures & {
  id: string;
  type: ListedType;
  status: TransactionStatus;
  subStatus: string | null;
  amountCentavos: bigint;
  createdAt: Date;
  expiresAt: Date | null;
  paidAt: Date | null;
  scheduledFor: Date | null;
  endToEndId: string | null;
  providerId: string | null;
  currency: string | null;
  units: bigint | null;
  wallet: string | null;
  memo: string | null;
  txHashes: string[];
  pixKeyType: string | null;
  /** Sealed, like the next ten. */
  description: string | null;
  reference: string | null;
  metadata: string | null;
  customerName: string | null;
  customerEmail: string | null;
  customerPhone: string | null;
  customerDocument: string | null;
  receiverName: string | null;
  receiverDocument: string | null;
  pixKey: string | null;
  declineReason: string | null;
  /** Also those that were made at the bank, or by the central bank's mechanism. */
  refunds: {
    id: string;
    centavos: string;
    status: string;
    description: string | null;
    reference: string | null;
    metadata: string | null;
    createdAt: string;
    finishedAt: string | null;
  }[];
  /** What arrived and waits, or waited, for a decision of the operator. */
  reviews: {
    id: string;
    reason: string;
    expectedCentavos: string;
    receivedCentavos: string;
    endToEndId: string | null;
    createdAt: string;
    resolvedAt: string | null;
    resolution: string | null;
  }[];
  disputes: ExportedDispute[];
  notes: { id: string; note: string }[];
  events: { type: string; at: string }[];
};

/** `answerText` and the names of files are sealed. */
export type ExportedDispute = {
  id: string;
  transactionId: string;
  reason: string;
  state: string;
  centavos: string;
  returnedCentavos: string;
  openedAt: string;
  closedAt: string | null;
  answer: string | null;
  answerText: string | null;
  files: { id: string; fileName: string }[];
};

const DISPUTE = `json_build_object('id', d.id, 'transactionId', d.transaction_id, 'reason', d.reason, 'state', d.state,
    'centavos', d.centavos::text, 'returnedCentavos', d.returned_centavos::text, 'openedAt', d.opened_at,
    'closedAt', d.closed_at, 'answer', d.answer, 'answerText', d.answer_text,
    'files', (SELECT coalesce(json_agg(json_build_object('id', i.id, 'fileName', i.file_name) ORDER BY i.id), '[]')
      FROM dispute_files i WHERE i.dispute_id = d.id))`;

/** What is stored about transactions of this account, newest first. */
export async function readExportRows(db: pg.Pool, accountId: string, ids: readonly string[]): Promise<ExportedRow[]> {
  const { rows } = await db.query<ExportedRow>({
    name: 'read-export-rows',
    text: `SELECT t.id, t.type, t.status, t.sub_status AS "subStatus", t.amount_centavos AS "amountCentavos",
        t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.paid_at AS "paidAt",
        t.scheduled_for AS "scheduledFor", t.end_to_end_id AS "endToEndId", t.provider_id AS "providerId", t.currency,
        t.units, t.wallet, t.memo, t.tx_hashes AS "txHashes", t.pix_key_type AS "pixKeyType", t.description, t.reference, t.metadata,
        t.customer_name AS "customerName", t.customer_email AS "customerEmail", t.customer_phone AS "customerPhone",
        t.customer_document AS "customerDocument", t.receiver_name AS "receiverName",
        t.receiver_document AS "receiverDocument", t.pix_key AS "pixKey", ${FIGURE_COLUMNS},
        (SELECT a.reason FROM withdrawal_approvals a WHERE a.transaction_id = t.id) AS "declineReason",
        (SELECT coalesce(json_agg(json_build_object('id', r.id, 'centavos', r.centavos::text, 'status', r.status,
            'description', r.description, 'reference', r.reference, 'metadata', r.metadata, 'createdAt', r.created_at, 'finishedAt', r.finished_at) ORDER BY r.id), '[]')
          FROM (SELECT id, centavos, status, description, reference, metadata, created_at, finished_at FROM refunds
              WHERE transaction_id = t.id
            UNION ALL SELECT id, centavos, 'completed', NULL, NULL, NULL, created_at, created_at FROM foreign_refunds WHERE transaction_id = t.id
          ) AS r) AS refunds,
        (SELECT coalesce(json_agg(json_build_object('id', v.id, 'reason', v.reason, 'expectedCentavos', v.expected_centavos::text,
            'receivedCentavos', v.received_centavos::text, 'endToEndId', CASE WHEN t.type = 'pix_in' THEN v.end_to_end_id END,
            'createdAt', v.created_at, 'resolvedAt', v.resolved_at, 'resolution', v.resolution) ORDER BY v.created_at, v.id), '[]')
          FROM reviews v WHERE v.transaction_id = t.id AND v.received_centavos > 0) AS reviews,
        (SELECT coalesce(json_agg(${DISPUTE} ORDER BY d.id), '[]') FROM disputes d WHERE d.transaction_id = t.id) AS disputes,
        (SELECT coalesce(json_agg(json_build_object('id', u.id, 'note', u.payer_note) ORDER BY u.id), '[]')
          FROM unmatched_payments u WHERE u.end_to_end_id = t.end_to_end_id AND u.rail = t.rail AND u.transaction_id = t.id AND u.payer_note IS NOT NULL) AS notes,
        (SELECT coalesce(json_agg(json_build_object('type', e.type, 'at', e.created_at) ORDER BY e.created_at, e.id), '[]')
          FROM events e WHERE e.transaction_id = t.id) AS events
      FROM transactions t ${figuresOf('t.account_id')} WHERE t.id = ANY ($2) AND t.account_id = $1 ORDER BY t.id DESC`,
    values: [accountId, ids],
  });
  return rows;
}

/**
 * The cases that name the person as the payer, of charges that bear somebody else's document or
 * none.
 */
export async function readDisputesAsPayer(
  db: pg.Pool,
  { accountId, documentIndexes }: PersonKey,
): Promise<ExportedDispute[]> {
  const { rows } = await db.query<{ dispute: ExportedDispute }>({
    name: 'read-disputes-as-payer',
    text: `SELECT ${DISPUTE} AS dispute FROM disputes d JOIN transactions t ON t.id = d.transaction_id
      WHERE d.account_id = $1 AND d.payer_document_index = ANY ($2)
        AND (t.customer_document_index = ANY ($2)) IS NOT TRUE
      ORDER BY d.id`,
    values: [accountId, documentIndexes],
  });
  return rows.map(({ dispute }) => dispute);
}

export type ExportedPayee = { id: string; label: string; addedAt: Date; removedAt: Date | null };

/** The entries of the address book at a key of the person's, also removed ones; labels sealed. */
export async function readExportedPayees(
  db: pg.Pool,
  { accountId, pixKeyIndexes }: PersonKey,
): Promise<ExportedPayee[]> {
  const { rows } = await db.query<ExportedPayee>({
    name: 'read-exported-payees',
    text: `SELECT id, label, added_at AS "addedAt", removed_at AS "removedAt" FROM payees
      WHERE account_id = $1 AND pix_key_index = ANY ($2) ORDER BY id`,
    values: [accountId, pixKeyIndexes],
  });
  return rows;
}
