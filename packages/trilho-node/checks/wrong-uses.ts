import { Trilho, verifyWebhook } from 'trilho-node';

/**
 * Uses that the types must reject: tsc fails when one of these lines has no error. Nobody runs this
 * file.
 */
const trilho = new Trilho({ baseUrl: 'https://pay.example.com', apiKey: 'tr_test_x' });

// @ts-expect-error a client needs an address
new Trilho({ apiKey: 'tr_test_x' });
// @ts-expect-error no field is called amout
await trilho.charges.create({ amout: 10 });
// @ts-expect-error an amount is a number
await trilho.charges.create({ amount: '10' });
// @ts-expect-error a withdrawal needs a key
await trilho.withdrawals.pix({ amount: 10, pixKeyType: 'EVP' });
// @ts-expect-error a status query is of two kinds only
await trilho.transactions.status('x', 'pix');
// @ts-expect-error a page's size is a number
trilho.transactions.list({ limit: '10' });
// @ts-expect-error a statement needs its days
trilho.statement.list();
// @ts-expect-error a GET has no idempotency key
await trilho.balance.get({ idempotencyKey: 'x' });
// @ts-expect-error a balance has no such member
(await trilho.balance.get()).total_balance;
// @ts-expect-error no event has this type
if ((await verifyWebhook('', {}, 'whsec_')).type === 'pix_in.paied') throw new Error();
