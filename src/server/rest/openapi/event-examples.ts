import { EVENT_ID, WITHDRAWAL_END_TO_END_ID, WITHDRAWAL_ID } from './document-ids.ts';
import type { OperationExamples } from './operation-example.ts';

const event = {
  event_id: EVENT_ID,
  type: 'pix_out.paid',
  transaction_id: WITHDRAWAL_ID,
  created_at: '2026-11-20T12:36:10.977Z',
};

const held = {
  status: 'held',
  topic: 'withdrawal',
  endpoint_id: null,
  url: 'https://loja.example.com/webhooks/trilho',
  attempt_count: 0,
  last_attempt: null,
  next_attempt_at: null,
  finished_at: null,
} as const;

const body = JSON.stringify({
  id: EVENT_ID,
  type: 'pix_out.paid',
  timestamp: '2026-11-20T12:36:10.977Z',
  livemode: false,
  data: {
    transaction_id: WITHDRAWAL_ID,
    external_id: WITHDRAWAL_END_TO_END_ID,
    type: 'pix_out',
    status: 'paid',
    amount: 50,
    amount_fees: 0.9,
    created_at: '2026-11-20T12:36:10.412Z',
    paid_at: '2026-11-20T12:36:10.977Z',
    net_amount: 50,
    previous_status: 'processing',
    end_to_end_id: WITHDRAWAL_END_TO_END_ID,
    description: 'Repasse semanal',
    reference: null,
    metadata: null,
  },
});

/**
 * The webhook of withdrawals was disabled while one was paid; it is switched on again, and the
 * event is sent.
 */
export const EVENT_EXAMPLES: OperationExamples['events'] = {
  list: {
    input: { status: 'held', type: 'pix_out.paid', since: '2026-11-01', limit: '10' },
    output: { success: true, data: [{ ...event, deliveries: [held] }], next_cursor: null },
    rejected: { invalid_input: { cursor: 'x' } },
  },
  get: {
    input: { eventId: EVENT_ID },
    output: { success: true, data: { ...event, body, deliveries: [{ ...held, attempts: [] }] } },
  },
  sendHeld: {
    idempotencyKey: 'retidos-semana-47',
    input: { topic: 'withdrawal' },
    output: { success: true, message: 'Envio iniciado', data: { topic: 'withdrawal', sending: 2 } },
    rejected: { invalid_input: { topic: 'pix' } },
  },
  replay: {
    idempotencyKey: 'replay-novo-erp',
    input: { since: '2026-11-20T12:00:00.000Z', type: ['pix_out.paid'], status: ['delivered', 'failed'] },
    output: { success: true, message: 'Reenvio iniciado', data: { sending: 1 }, next_cursor: null },
    rejected: { invalid_input: { since: 'ontem' } },
  },
  resend: {
    idempotencyKey: 'reenvio-repasse-semana-47',
    input: { eventId: EVENT_ID },
    output: {
      success: true,
      message: 'Evento a caminho',
      data: {
        ...event,
        deliveries: [{ ...held, status: 'pending', next_attempt_at: '2026-11-20T12:40:00.000Z' }],
      },
    },
  },
};
