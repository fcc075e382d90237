import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, trilho, trilhoJson } from '../fixtures.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

test('the commands of the README work as they stand there', async ({ baseURL }) => {
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

/** The text of the first code block that holds `text`. */
function blockWith(text: string): string {
  const blocks = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim());
  const found = blocks.find((block) => block.includes(text));
  if (!found) throw new Error(`The README has no command with ${text}.`);
  return found;
}
