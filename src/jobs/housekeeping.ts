import { deleteOldCallbacks } from '#db/callbacks/callbacks.ts';
import { deleteProviderCallCounts, deleteProviderCalls } from '#db/callbacks/provider-calls.ts';
import { deleteOldMails } from '#db/mail/mails.ts';
import { deleteOldLinks } from '#db/members/links.ts';
import { deleteEndedSessions, deleteLoginTokens } from '#db/members/members.ts';
import { deleteOldDigests } from '#db/notices/digests.ts';
import { deleteOldNotices } from '#db/notices/notices.ts';
import { deleteEndedOperatorSessions } from '#db/operators/operators.ts';
import { deleteAbandonedPages } from '#db/reconciliation/run-reconciliation.ts';
import { deleteExpiredKeys } from '#db/requests/idempotency.ts';
import { deleteRequestCounts, deleteRequestRecords } from '#db/requests/request-records.ts';
import { deleteOldEvents } from '#db/webhooks/delete-old-events.ts';
import { deleteReceivedWebhooks } from '#db/webhooks/received-webhooks.ts';
import { RECEIVED_KEPT_MS } from '#domain/webhooks/test-receiver.ts';
import type { Deps } from '#services/deps.ts';
import { REQUESTS_KEPT_MS } from '#services/requests/list-requests.ts';
import { sealEndedHours } from './seal-ended-hours.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Nothing waits for it: expired keys and sessions are rejected also while they are stored. */
const EVERY_MS = 10 * 60_000;
/** Short statements: no other statement waits long for a lock. */
const BATCH = 1_000;
/** As long as a payment can be refunded: until then the calls to the provider may be needed. */
const PROVIDER_CALLS_KEPT_MS = 90 * DAY_MS;
/** The page of the system's state shows those of a day. */
const COUNTS_KEPT_MS = 2 * DAY_MS;
/** A callback leads to calls to the provider, and explains them for as long as they are kept. */
const CALLBACKS_KEPT_MS = PROVIDER_CALLS_KEPT_MS;
/** Somebody who misses a message asks for it within days. */
const MAILS_KEPT_MS = 30 * DAY_MS;
/** What a notice is about is shown on its own page while it matters. */
const NOTICES_KEPT_MS = 90 * DAY_MS;
/**
 * A merchant closes their books once a year, and compares what their system was sent. Transactions
 * and the ledger stay.
 */
const EVENTS_KEPT_MS = 366 * DAY_MS;
/** A run that takes a quarter of it is begun again (RUN_MAX_MS). */
const READ_PAGES_KEPT_MS = DAY_MS;

/**
 * Deletes expired data and adds up the hours that are over, every ten minutes. Returns the function
 * that stops this and waits for what is under way.
 */
export function startHousekeeping(deps: Deps): () => Promise<void> {
  let stopping = false;
  let underway: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    underway = underway.then(() => purgeExpired(deps, () => stopping)).then(() => addUpHours(deps, () => stopping));
  }, EVERY_MS);
  return () => {
    stopping = true;
    clearInterval(timer);
    return underway;
  };
}

async function addUpHours(deps: Deps, isStopping: () => boolean): Promise<void> {
  try {
    await sealEndedHours(deps, isStopping);
  } catch (error) {
    deps.log.warn({ err: error }, 'Adding up the hours that are over failed; trying again later.');
  }
}

/** Deletes expired data, batch by batch until none is left. Logs a failure and does not throw. */
export async function purgeExpired(deps: Deps, isStopping: () => boolean = () => false): Promise<void> {
  const now = deps.clock();
  const { pool } = deps.db;
  const deletions: ((limit: number) => Promise<number>)[] = [
    (limit) => deleteExpiredKeys(pool, now, limit),
    (limit) => deleteProviderCalls(pool, new Date(now.getTime() - PROVIDER_CALLS_KEPT_MS), limit),
    (limit) => deleteProviderCallCounts(pool, new Date(now.getTime() - COUNTS_KEPT_MS), limit),
    (limit) => deleteOldCallbacks(pool, new Date(now.getTime() - CALLBACKS_KEPT_MS), limit),
    (limit) => deleteOldEvents(pool, new Date(now.getTime() - EVENTS_KEPT_MS), limit),
    (limit) => deleteReceivedWebhooks(pool, new Date(now.getTime() - RECEIVED_KEPT_MS), limit),
    (limit) => deleteRequestRecords(pool, new Date(now.getTime() - REQUESTS_KEPT_MS), limit),
    (limit) => deleteRequestCounts(pool, new Date(now.getTime() - COUNTS_KEPT_MS), limit),
    (limit) => deleteAbandonedPages(pool, new Date(now.getTime() - READ_PAGES_KEPT_MS), limit),
    // The audit keeps when and from where a member signed in.
    (limit) => deleteEndedSessions(deps.db, now, limit),
    (limit) => deleteEndedOperatorSessions(deps.db, now, limit),
    (limit) => deleteOldMails(deps.db, new Date(now.getTime() - MAILS_KEPT_MS), limit),
    (limit) => deleteOldNotices(deps.db, new Date(now.getTime() - NOTICES_KEPT_MS), limit),
    (limit) => deleteOldDigests(deps.db, new Date(now.getTime() - NOTICES_KEPT_MS), limit),
    (limit) => deleteLoginTokens(deps.db, now, limit),
    (limit) => deleteOldLinks(deps.db, 'sign_ups', now, limit),
    (limit) => deleteOldLinks(deps.db, 'invitations', now, limit),
  ];
  try {
    for (const deleteSome of deletions) while (!isStopping() && (await deleteSome(BATCH)) === BATCH);
  } catch (error) {
    deps.log.warn({ err: error }, 'Housekeeping failed; trying again later.');
  }
}
