import { CHARGE_ID, PAID_AT } from './document-ids.ts';
import type { OperationExamples } from './operation-example.ts';

/** The newest entry of the day: the charge that has just been paid. */
export const STATEMENT_EXAMPLE: OperationExamples['balance']['statement'] = {
  input: { balance: 'available', from: '2026-11-20', to: '2026-11-20', limit: '1' },
  output: {
    success: true,
    data: {
      balance: 'available',
      summary: {
        opening_balance: 0,
        credits: 1139.24,
        debits: 0,
        closing_balance: 1139.24,
        entry_count: 2,
      },
      entries: [
        {
          entry_number: '2',
          type: 'pix_received',
          day: '2026-11-20',
          created_at: PAID_AT,
          amount: 149.24,
          balance_after: 1139.24,
          fee: 1.51,
          transaction: { transaction_id: CHARGE_ID, type: 'pix_in' },
        },
      ],
    },
    next_cursor: '2',
  },
  rejected: { invalid_input: { from: '2026-11-31' } },
};
