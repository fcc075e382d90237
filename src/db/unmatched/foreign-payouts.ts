import type pg from 'pg';
import { LAST_UUID } from '#domain/values/uuid.ts';
import { auditColumns, type DecidedBy } from '../connection/ask-decision.ts';

/** Money that left a provider without a request of the service. */
export type ForeignPayoutRow = {
  id: string;
  rail: string;
  mode: 'live' | 'test';
  /** Whose credentials they are; null: the installation's. */
  accountId: string | null;
  endToEndId: string;
  centavos: bigint;
  sentAt: Date;
  state: 'open' | 'written_off';
  reason: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  createdAt: Date;
};

const COLUMNS = `p.id, p.rail, p.mode, p.account_id AS "accountId", p.end_to_end_id AS "endToEndId", p.centavos,
  p.sent_at AS "sentAt", p.state, p.reason, p.decided_by AS "decidedBy", p.decided_at AS "decidedAt",
  p.created_at AS "createdAt"`;

/** Books it against suspense, once. False: it is known. */
export async function recordForeignPayout(
  db: pg.Pool,
  payout: Omit<ForeignPayoutRow, 'state' | 'reason' | 'decidedBy' | 'decidedAt'>,
): Promise<boolean> {
  const row = {
    id: payout.id,
    rail: payout.rail,
    mode: payout.mode,
    account_id: payout.accountId,
    end_to_end_id: payout.endToEndId,
    centavos: String(payout.centavos),
    sent_at: payout.sentAt,
    created_at: payout.createdAt,
  };
  const { rows } = await db.query<{ recorded: boolean }>({
    name: 'foreign-payout-record',
    text: 'SELECT foreign_payout_record($1) AS recorded',
    values: [JSON.stringify(row)],
  });
  return rows[0]?.recorded ?? false;
}

/** Those that wait for a decision, the oldest first; or all of them, the newest first. */
export async function listForeignPayouts(
  db: pg.Pool,
  { waiting, limit }: { waiting: boolean; limit: number },
): Promise<ForeignPayoutRow[]> {
  const { rows } = waiting
    ? await db.query<ForeignPayoutRow>({
        name: 'list-open-foreign-payouts',
        text: `SELECT ${COLUMNS} FROM foreign_payouts p WHERE p.state = 'open' ORDER BY p.created_at LIMIT $1`,
        values: [limit],
      })
    : await db.query<ForeignPayoutRow>({
        name: 'list-all-foreign-payouts',
        text: `SELECT ${COLUMNS} FROM foreign_payouts p WHERE p.id < $2 ORDER BY p.id DESC LIMIT $1`,
        values: [limit, LAST_UUID],
      });
  return rows;
}

/** `decided`: it waits for no decision (any more). */
export type ForeignPayoutDecision = 'written_off' | 'decided';

/** The platform takes the loss. */
export async function writeOffForeignPayout(
  db: pg.Pool,
  decision: { id: string; reason: string; by: DecidedBy; now: Date },
): Promise<ForeignPayoutDecision> {
  const { id, reason, by, now } = decision;
  const { rows } = await db.query<{ outcome: ForeignPayoutDecision }>({
    name: 'foreign-payout-write-off',
    text: 'SELECT foreign_payout_write_off($1, $2, $3, $4) AS outcome',
    values: [id, reason, auditColumns(by), now],
  });
  return rows[0]?.outcome ?? 'decided';
}
