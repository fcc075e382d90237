import { DISPUTE_ID, DISPUTED_CHARGE_ID } from './document-ids.ts';
import type { OperationExamples } from './operation-example.ts';

const open = {
  dispute_id: DISPUTE_ID,
  transaction_id: DISPUTED_CHARGE_ID,
  state: 'open',
  reason: 'fraud',
  amount: 80,
  held_amount: 80,
  returned_amount: 0,
  opened_at: '2026-11-20T12:40:31.402Z',
  answer_by: '2026-11-22T12:40:31.402Z',
  answer: null,
  answered_at: null,
  closed_at: null,
} as const;

const text = 'O pedido 977 foi entregue à pagadora em 18/11, com assinatura.';
const answered = {
  ...open,
  state: 'answered',
  answer: 'contest',
  answered_at: '2026-11-20T12:41:12.655Z',
  answer_text: text,
  answer_sent_at: null,
  answer_rejection: null,
  answered_by: 'API',
} as const;

/** A payer contests a payment; the bakery defends it. */
export const DISPUTE_EXAMPLES: OperationExamples['disputes'] = {
  list: {
    input: { state: 'open,answered', limit: '20' },
    output: { success: true, data: [open], next_cursor: null },
    rejected: { invalid_input: { state: 'closed' } },
  },
  answer: {
    idempotencyKey: 'defesa-977',
    input: { disputeId: DISPUTE_ID, answer: 'contest', text },
    output: { success: true, message: 'Resposta registrada com sucesso', data: answered },
    rejected: { invalid_input: { answer: 'yes' } },
  },
  get: { input: { disputeId: DISPUTE_ID }, output: { success: true, data: answered } },
};
