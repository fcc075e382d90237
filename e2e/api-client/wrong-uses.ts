import createClient from 'openapi-fetch';
import type { paths } from './generated.d.ts';

/** Calls that the types must reject: tsc fails if one of them compiles. This file is never run. */
const client = createClient<paths>();
const params = { path: { transactionId: 'x' } };

// @ts-expect-error no field is called amout
await client.POST('/payments/transactions', { body: { amout: 10 } });
// @ts-expect-error an amount is a number
await client.POST('/payments/transactions', { body: { amount: '10' } });
// @ts-expect-error a withdrawal needs a key
await client.POST('/payments/transfers/pix', { body: { amount: 10, pixKeyType: 'EVP' } });
// @ts-expect-error the status query needs a type
await client.GET('/payments/transactions/{transactionId}/status', { params });
// @ts-expect-error the status query has no type pix
await client.GET('/payments/transactions/{transactionId}/status', { params: { ...params, query: { type: 'pix' } } });
// @ts-expect-error a page's size is a number
await client.GET('/payments/transactions', { params: { query: { limit: '10' } } });
// @ts-expect-error there is no such path
await client.GET('/payments/nothing');
// @ts-expect-error a balance has no such member
(await client.GET('/payments/balance')).data?.data.total_balance;
