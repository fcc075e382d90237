import type pg from 'pg';
import type { IfMissed, PayoutSchedule, Repeat, RepeatEvery } from '#domain/withdrawals/payout-schedule.ts';
import { askNoted } from '../audit/ask-noted.ts';
import type { EntryWithoutNotices } from '../audit/audit.ts';
import type { Destination } from '../payees/payees.ts';
import type { MoneyOutAsker } from './find-pause-end.ts';
import type { SealedReceiver } from './receivers.ts';
import { type LimitPeriods, type NewWithdrawal, REQUESTED, type RequestOutcome, rowOf } from './withdrawals.ts';

/**
 * PIX withdrawals that begin on a later date: each change is one SQL function, one commit, with
 * what follows from it.
 */

/** What holds for every payout of a schedule. */
export type ScheduleTerms = PayoutSchedule & {
  /** The transaction of the schedule's first payout. */
  scheduleId: string;
  /** Whether money is held from the planning on. */
  reserve: boolean;
  ifMissed: IfMissed;
};

/** One payout of a schedule, before its transaction exists. */
export type PlannedPayout = ScheduleTerms & {
  withdrawal: NewWithdrawal & { type: 'pix_out' };
  /** Whose the key was when the schedule was made; null where the PSP did not say. */
  receiver: SealedReceiver | null;
  /** 1 for the first one. */
  number: number;
  scheduledFor: Date;
  /** From then on it does not begin any more. */
  beginsUntil: Date;
};

type Outbox = { eventId: string; eventType: string; eventBody: string };

/**
 * Schedules a payout, with its audit. `scheduled`: it begins at its time; `pending_approval`: a
 * second person decides before.
 */
export async function schedulePayout(
  db: pg.Pool,
  planned: PlannedPayout,
  by: MoneyOutAsker,
  approveUntil: Date,
  audit: EntryWithoutNotices | null,
): Promise<RequestOutcome> {
  return askNoted(
    db,
    'SELECT payout_schedule($1, $2, $3, $4, $5, $6, $7) AS outcome',
    [
      ...[...rowsOf(planned), by.keyId, by.memberId, approveUntil],
      ...[planned.withdrawal.destination.pixKeyIndexes, planned.withdrawal.merchant.uniqueIndexes],
    ],
    audit && { entry: audit, when: REQUESTED },
  );
}

/** `not_due`: its time has not come, or it has begun or ended already. */
export type BeginOutcome =
  | Exclude<
      RequestOutcome,
      // What an assistant asks for is never planned.
      'pending_approval' | 'exists' | 'scheduled' | 'reference_taken' | 'key_call_cap' | 'key_day_cap'
    >
  | 'not_due';

/**
 * Begins a payout whose time has come, once, as any withdrawal of this moment is requested, and
 * plans the next one of its schedule. `shortSince`: when there was first too little money for it.
 */
export async function beginScheduledPayout(
  db: pg.Pool,
  begin: {
    id: string;
    /** Of today; what was held before keeps its fee. */
    feeCentavos: bigint;
    rail: string;
    periods: LimitPeriods;
    destination: Destination;
    next: PlannedPayout | null;
    now: Date;
  },
): Promise<{ outcome: BeginOutcome; shortSince: Date | null }> {
  const { day, night } = begin.periods;
  const { rows } = await db.query<{ outcome: BeginOutcome; shortSince: Date | null }>({
    name: 'scheduled-payout-begin',
    text: `SELECT outcome, short_since AS "shortSince"
      FROM scheduled_payout_begin($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      ...[begin.id, begin.feeCentavos, begin.rail],
      ...[day.start, day.end, night?.start ?? null, night?.end ?? null],
      ...[begin.destination.pixKeyIndexes, ...rowsOf(begin.next), begin.now],
    ],
  });
  if (!rows[0]) throw new Error('scheduled_payout_begin answered nothing.');
  return rows[0];
}

/**
 * `unknown`: nothing of the account is scheduled under this id. `started`: it has begun, or ended.
 */
export type EndOutcome = 'ended' | 'unknown' | 'started';

/** Ends a payout that has not begun, gives back what was held, and plans the `next` one. */
export async function endScheduledPayout(
  db: pg.Pool,
  end: {
    id: string;
    accountId: string;
    to: 'failed' | 'cancelled';
    failureCode: string | null;
    next: PlannedPayout | null;
    now: Date;
    /** Null: it ends by itself, because its time is over. */
    audit: EntryWithoutNotices | null;
  } & Outbox,
): Promise<EndOutcome> {
  return askNoted(
    db,
    'SELECT scheduled_payout_end($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS outcome',
    [
      ...[end.accountId, end.id, end.to, end.failureCode],
      ...[...rowsOf(end.next), end.now],
      ...[end.eventId, end.eventType, end.eventBody],
    ],
    end.audit && { entry: end.audit, when: ['ended'] },
  );
}

export type ScheduledPayoutRow = ScheduleTerms &
  Pick<PlannedPayout, 'number' | 'scheduledFor' | 'beginsUntil'> & {
    /** Sealed, as the next. */
    receiverName: string | null;
    receiverDocument: string | null;
  };

type FoundRow = Omit<ScheduledPayoutRow, 'repeat'> & {
  every: RepeatEvery | null;
  count: number | null;
  until: string | null;
};

/** What is planned of a payout; null: it is not scheduled. The caller has checked the account. */
export async function findScheduledPayout(db: pg.Pool, id: string): Promise<ScheduledPayoutRow | null> {
  const { rows } = await db.query<FoundRow>({
    name: 'find-scheduled-payout',
    text: `SELECT s.schedule_id AS "scheduleId", s.number, s.first_on::text AS "firstOn", s.every, s.count,
        s.until_on::text AS until, s.reserve, s.if_missed AS "ifMissed", s.begins_until AS "beginsUntil",
        t.scheduled_for AS "scheduledFor", t.receiver_name AS "receiverName", t.receiver_document AS "receiverDocument"
      FROM scheduled_payouts s JOIN transactions t ON t.id = s.transaction_id WHERE s.transaction_id = $1`,
    values: [id],
  });
  if (!rows[0]) return null;
  const { every, count, until, ...row } = rows[0];
  // The table has a check that one of `count` and `until` is set.
  return { ...row, repeat: every === null ? null : ({ every, count, until } as Repeat) };
}

/** A row of transactions and one of scheduled_payouts; null where there is none to plan. */
function rowsOf(planned: PlannedPayout | null): [string | null, string | null] {
  if (planned === null) return [null, null];
  const { withdrawal, receiver, repeat } = planned;
  const transaction = {
    ...rowOf(withdrawal),
    receiver_name: receiver?.name ?? null,
    receiver_document: receiver?.document ?? null,
    scheduled_for: planned.scheduledFor,
  };
  const plan = {
    transaction_id: withdrawal.id,
    schedule_id: planned.scheduleId,
    number: planned.number,
    first_on: planned.firstOn,
    every: repeat?.every ?? null,
    count: repeat?.count ?? null,
    until_on: repeat?.until ?? null,
    reserve: planned.reserve,
    if_missed: planned.ifMissed,
    begins_until: planned.beginsUntil,
  };
  return [JSON.stringify(transaction), JSON.stringify(plan)];
}
