import type { OperationExamples } from './operation-example.ts';

/** The clock of a test account, moved by a month. */
export const TEST_CLOCK_EXAMPLES = {
  get: {
    input: {},
    output: {
      success: true,
      data: { now: '2026-12-20T15:30:00.000Z', ahead_seconds: 2_592_000, target: null, stopped: null },
    },
  },
  advance: {
    idempotencyKey: 'relogio-um-mes',
    input: { by: '30d' },
    output: {
      success: true,
      data: {
        now: '2026-11-20T15:30:00.000Z',
        ahead_seconds: 0,
        target: '2026-12-20T15:30:00.000Z',
        stopped: null,
      },
    },
    rejected: { invalid_input: { by: '1 mês' } },
  },
} satisfies OperationExamples['testClock'];
