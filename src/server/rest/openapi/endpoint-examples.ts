import { ENDPOINT_ID, OLD_ENDPOINT_ID, TEST_EVENT_ID } from './document-ids.ts';
import type { OperationExamples } from './operation-example.ts';

const endpoint = {
  endpoint_id: ENDPOINT_ID,
  url: 'https://erp.example.com/trilho',
  description: 'ERP',
  event_types: ['pix_in.paid', 'pix_in.refunded'],
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  last_delivered_at: null,
  secret_overlap_until: null,
  created_at: '2026-11-20T12:44:10.213Z',
};

/** The endpoint after its change. */
const changed = { ...endpoint, event_types: null };

/**
 * The bakery's ERP gets events too: first those about payments, then all. An older endpoint is
 * removed.
 */
export const ENDPOINT_EXAMPLES: OperationExamples['endpoints'] = {
  create: {
    idempotencyKey: 'endpoint-erp',
    input: { url: endpoint.url, description: 'ERP', event_types: endpoint.event_types },
    output: {
      success: true,
      message: 'Endpoint criado com sucesso',
      data: { ...endpoint, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw5tY0cN1eXzA=' },
    },
    rejected: { invalid_input: { event_types: ['pix_in'] } },
  },
  list: { input: {}, output: { success: true, data: [endpoint] } },
  get: { input: { endpointId: ENDPOINT_ID }, output: { success: true, data: endpoint } },
  change: {
    idempotencyKey: 'endpoint-erp-todos',
    input: { endpointId: ENDPOINT_ID, event_types: null },
    output: { success: true, message: 'Endpoint alterado', data: changed },
    rejected: { invalid_input: { event_types: ['pix_in'] } },
  },
  rotateSecret: {
    idempotencyKey: 'endpoint-erp-segredo-2',
    input: { endpointId: ENDPOINT_ID },
    output: {
      success: true,
      message: 'Segredo trocado',
      data: {
        ...changed,
        secret_overlap_until: '2026-11-21T12:46:02.118Z',
        secret: 'whsec_C2FVsBQIhrscChlQIMV5m1tCz4uVs7fP0kQ2dJ8wYxE=',
      },
    },
    rejected: { invalid_input: { overlap: 'sim' } },
  },
  test: {
    idempotencyKey: 'endpoint-erp-teste',
    input: { endpointId: ENDPOINT_ID },
    output: {
      success: true,
      message: 'Evento de teste a caminho',
      data: { endpoint_id: ENDPOINT_ID, event_id: TEST_EVENT_ID },
    },
  },
  remove: {
    idempotencyKey: 'endpoint-antigo-fim',
    input: { endpointId: OLD_ENDPOINT_ID },
    output: { success: true, message: 'Endpoint removido', data: { endpoint_id: OLD_ENDPOINT_ID } },
  },
};
