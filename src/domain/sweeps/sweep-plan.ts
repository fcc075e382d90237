import { DISPUTABLE_MS } from '../disputes/dispute-states.ts';
import { isSandboxRail } from '../sandbox/sandbox-commands.ts';
import { nextDayStart } from '../values/business-day.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How far back each sweep of a provider's payments looks, received or sent. `recent`: what a
 * callback should have reported a moment ago; `days`: what was recorded late; `quarter`: what a
 * receiver gives back, up to 90 days after the payment (Manual de Fluxos do Processo de Efetivação
 * do Pix, "Devolução"). Cases of contested payments come without a callback; `disputes_recent`
 * reaches back to the ones that are open. A crypto processor lists by the time at which an invoice
 * was made, which is hours before its payment is confirmed, or days where the payer is late.
 */
export const SWEEP_PLAN = {
  recent: { of: 'received', lengthMs: 30 * MINUTE_MS, refundedOnly: false },
  days: { of: 'received', lengthMs: 3 * DAY_MS, refundedOnly: false },
  quarter: { of: 'received', lengthMs: 90 * DAY_MS, refundedOnly: true },
  sent_recent: { of: 'sent', lengthMs: 30 * MINUTE_MS, returnedOnly: false },
  sent_days: { of: 'sent', lengthMs: 3 * DAY_MS, returnedOnly: false },
  sent_quarter: { of: 'sent', lengthMs: 90 * DAY_MS, returnedOnly: true },
  disputes_recent: { of: 'disputes', lengthMs: 30 * MINUTE_MS },
  disputes_quarter: { of: 'disputes', lengthMs: DISPUTABLE_MS },
  operations_recent: { of: 'operations', lengthMs: 6 * HOUR_MS },
  operations_days: { of: 'operations', lengthMs: 7 * DAY_MS },
} as const;

type Span = keyof typeof SWEEP_PLAN;

const RECENT: readonly Span[] = ['recent', 'sent_recent', 'disputes_recent', 'operations_recent'];
const WEEKLY: readonly Span[] = ['quarter', 'sent_quarter'];

const RECENT_EVERY_MS = 10 * MINUTE_MS;
/** In São Paulo, where few pay at this hour. */
const NIGHTLY_AFTER_MS = 3 * HOUR_MS;
const WEEKLY_AFTER_MS = 4 * HOUR_MS;

/** The sandbox is local, and somebody waits for the case that they have asked for. */
const SANDBOX_DISPUTES_EVERY_MS = MINUTE_MS;

/**
 * Returns when a sweep is due again: every ten minutes, each night at three, each Sunday at four;
 * the sandbox's cases each minute.
 */
export function nextSweepAt({ span, rail }: { span: Span; rail: string }, now: Date): Date {
  if (span === 'disputes_recent' && isSandboxRail(rail)) return new Date(now.getTime() + SANDBOX_DISPUTES_EVERY_MS);
  if (RECENT.includes(span)) return new Date(now.getTime() + RECENT_EVERY_MS);
  if (!WEEKLY.includes(span)) return new Date(nextDayStart(now).getTime() + NIGHTLY_AFTER_MS);
  let day = nextDayStart(now);
  while (WEEKDAY.format(day) !== 'Sun') day = nextDayStart(day);
  return new Date(day.getTime() + WEEKLY_AFTER_MS);
}

const WEEKDAY = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Sao_Paulo', weekday: 'short' });
