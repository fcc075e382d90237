import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, test, trilho, trilhoJson } from '../fixtures.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

test('the commands of the README work as they are written', async ({ baseURL }) => {
  const { api_key: apiKey = '' } = await trilhoJson('demo');
  const curl = blockWith('curl -s')
    .replace('http://localhost:3000', baseURL ?? '')
    .replace('tr_test_…', apiKey);
  const charge = JSON.parse(execFileSync('sh', ['-c', curl], { encoding: 'utf8' }));
  expect(charge).toMatchObject({ success: true, data: { amount: 100.5, description: 'Pedido 42', status: 'pending' } });

  const commands = blockWith('sandbox pay TRANSACTION_ID').split('\n');
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const [, args = ''] = /^npm run --silent trilho -- (.+)$/.exec(command) ?? [];
    await trilho(...args.replace('TRANSACTION_ID', charge.data.transaction_id).split(' '));
  }
});

test('the commands of the sandbox work as they are written', async ({ merchant }) => {
  const invoice = await merchant.createInvoice({ amount: 108 });
  const commands = blockWith('sandbox confirm INVOICE_ID').split('\n');
  expect(commands).toHaveLength(4);
  for (const command of commands) {
    const [, args = ''] = /^npm run --silent trilho -- (.+)$/.exec(command) ?? [];
    await trilho(...args.replace('INVOICE_ID', invoice.id).replace('ACCOUNT_ID', merchant.accountId).split(' '));
  }
  await trilho('sandbox', 'set', 'pix.callback', 'once');
  await expect
    .poll(() => merchant.get(`/payments/transactions/${invoice.id}`))
    .toMatchObject({ sub_status: 'partial', crypto: { received_amount: 10 } });
});

test('the README’s commands that list and decide verifications exist', async () => {
  const [list = '', approve = ''] = blockWith('kyc approve').split('\n');
  expect(await trilho(...(/^npm run --silent trilho -- (.+)$/.exec(list)?.[1] ?? '').split(' '))).toMatch(
    /verification|@/,
  );
  const args = (/^npm run --silent trilho -- (.+)$/.exec(approve)?.[1] ?? '').replace('E_MAIL', 'nobody@example.com');
  await expect(trilho(...args.split(' '))).rejects.toThrow(/no such verification/);
});

test('the commands of the operator’s console work as they are written', async () => {
  const [create = '', code = ''] = blockWith('operator create').split('\n');
  const run = (command: string) => {
    const [, args = ''] = /^npm run --silent trilho -- (.+)$/.exec(command) ?? [];
    return trilho(...args.replace('E_MAIL', `ana-${Date.now()}@trilho.example`).replace('NAME', 'Ana').split(' '));
  };
  expect(await run(create)).toMatch(/Authenticator key {2}[A-Z2-7]+/);
  expect(await run(code)).toMatch(/^\d{6}\n$/);
});

test('the README’s code verifies a webhook, and rejects a changed one', () => {
  const code = /```ts\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
  const secret = `whsec_${Buffer.from('a secret of enough bytes for this').toString('base64')}`;
  const body = '{"id":"evt_1","type":"pix_in.paid"}';
  const sent = new Date();
  const signature = new Webhook(secret).sign('msg_1', sent, body);
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
    'webhook-signature': signature,
  };
  // Everything but the import, with our secret in the place of the dots.
  const lines = code.replace(/^import .*$/m, '').replace('whsec_…', secret);
  const verify = new Function('Webhook', 'body', 'headers', `${lines}; return event;`);
  expect(verify(Webhook, body, headers)).toEqual(JSON.parse(body));
  expect(() => verify(Webhook, `${body} `, headers)).toThrow();
});

/** The text of the first code block that holds `text`. */
function blockWith(text: string): string {
  const blocks = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
  const found = blocks.find((block) => block.includes(text));
  if (!found) throw new Error(`The README has no command with ${text}.`);
  return found;
}
