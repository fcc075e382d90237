import { expect, test } from 'vitest';
import { approvalOf, withApproved } from './approval.ts';

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const HOOK = 'https://loja.example/hook';

test.each([
  [
    'withdrawals.pix',
    { amount: 1234.56, pixKey: '12345678909', pixKeyType: 'cpf', description: null },
    { action: 'sendPix', reais: 1234.56, subject: '123.456.789-09' },
  ],
  [
    'withdrawals.pix',
    {
      ...{ amount: 150, pixKey: 'maria@example.com', pixKeyType: 'email', scheduledFor: '2026-12-05' },
      repeat: { every: 'month', count: 3, until: null },
    },
    {
      ...{ action: 'schedulePix', reais: 150, subject: 'maria@example.com' },
      repeat: { every: 'month', count: 3, until: null },
    },
  ],
  [
    'withdrawals.crypto',
    { amount: 540, wallet: WALLET, currency: 'USDT_BSC', memo: null },
    { action: 'sendCrypto', reais: 540, subject: WALLET },
  ],
  ['transactions.refund', { transactionId: 'x', amount: 20 }, { action: 'refund', reais: 20, subject: null }],
  ['webhooks.setEndpoint', { topic: 'deposit', url: HOOK }, { action: 'setEndpoint', reais: null, subject: HOOK }],
  ['thresholds.set', { kind: 'payees', amount: 50 }, { action: 'setPayeesThreshold', reais: 50, subject: null }],
  // A password is never shown.
  [
    '/change-password',
    { currentPassword: 'a', newPassword: 'b' },
    { action: 'changePassword', reais: null, subject: null },
  ],
  ['something.new', undefined, { action: null, reais: null, subject: null }],
])(
  'the question before %s names the action, the amount and the receiver as far as there are any',
  (path, input, asked) => {
    expect(approvalOf({ path, input })).toEqual(asked);
  },
);

test('the question names what the page shows, where the procedure is given an id alone', () => {
  const approved = {
    ...{ reais: 60, subject: 'maria@example.com' },
    repeat: { every: 'week', count: null, until: '2027-06-30' },
  } as const;
  const { trpc } = withApproved(approved);
  expect(approvalOf({ path: 'approvals.approve', input: { transaction_id: 'x' }, ...trpc })).toEqual({
    action: 'approveWithdrawal',
    ...approved,
  });
});
