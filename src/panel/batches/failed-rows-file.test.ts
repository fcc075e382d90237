import { expect, test } from 'vitest';
import { type BatchView, payoutBatchInput } from '#contract/withdrawals/payout-batches.ts';
import { failedRowsFile } from './failed-rows-file.ts';

type Row = BatchView['rows'][number];

const row = (fields: Partial<Row>): Row => ({
  ...{ number: 1, amount: 2, pix_key: 'ana@example.com', pix_key_type: 'EMAIL', description: null, reference: null },
  ...{ failure: 'insufficient_funds', transaction: null },
  ...fields,
});
const withdrawal = (status: 'paid' | 'failed') => ({
  transaction: { transaction_id: '01a20b95-70c4-72b5-8da7-80a9e4b1fa28', status, sub_status: null },
  failure: null,
});

test('the file of the rows that failed is a batch of these rows, to the centavo and the character', () => {
  const rows = [
    row({ amount: 131_072.01, pix_key: '01234567890', pix_key_type: 'CPF', description: 'Salário; "novembro"' }),
    row({ ...withdrawal('failed'), amount: 0.1, pix_key: '+5511998765432', pix_key_type: 'PHONE' }),
    row({ amount: 7, description: '=1+1', reference: 'nota;7' }),
    row({ ...withdrawal('paid'), amount: 99 }),
    row({ failure: null, amount: 98 }),
  ];
  expect(payoutBatchInput.parse({ file: failedRowsFile(rows).replace('\uFEFF', '') })).toMatchObject({
    issues: [],
    rows: [
      {
        ...{ amountCentavos: 13_107_201n, pixKey: '01234567890', pixKeyType: 'cpf' },
        description: 'Salário; "novembro"',
        reference: null,
      },
      { amountCentavos: 10n, pixKey: '+5511998765432', pixKeyType: 'phone', description: null, reference: null },
      {
        ...{ amountCentavos: 700n, pixKey: 'ana@example.com', pixKeyType: 'email' },
        ...{ description: '=1+1', reference: 'nota;7' },
      },
    ],
  });
});
