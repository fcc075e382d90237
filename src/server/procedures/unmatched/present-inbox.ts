import type { z } from 'zod';
import type { inboxOutput } from '#contract/unmatched/unmatched.ts';
import type { Inbox } from '#services/unmatched/get-inbox.ts';

type Output = z.output<typeof inboxOutput>;

/** What waits, and what was decided of both kinds in one list, the newest first. */
export function presentInbox({ received, sent }: Inbox): Output {
  return {
    received: received.waiting.map((one) => ({
      payment_id: one.id,
      end_to_end_id: one.endToEndId,
      amount: one.leftCentavos,
      paid_at: one.paidAt,
      payer_note: one.payerNote,
      returning: one.state === 'returning',
      contested: one.contestedAs !== null,
    })),
    sent: sent.waiting.map((one) => ({
      payout_id: one.id,
      end_to_end_id: one.endToEndId,
      amount: one.centavos,
      sent_at: one.sentAt,
    })),
    decided: [...received.decided.map(presentDecided), ...sent.decided.map(presentDecided)].sort(
      (a, b) => (b.decided_at?.getTime() ?? 0) - (a.decided_at?.getTime() ?? 0),
    ),
  };
}

type Decided = Inbox['received']['decided'][number] | Inbox['sent']['decided'][number];

const presentDecided = (one: Decided): Output['decided'][number] => ({
  id: one.id,
  outcome: one.state as Output['decided'][number]['outcome'],
  end_to_end_id: one.endToEndId,
  amount: one.centavos,
  decided_at: one.decidedAt,
  decided_by: one.decidedBy,
  reason: one.reason,
  transaction_id: one.transactionId,
});
