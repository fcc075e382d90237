import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toCurl } from './to-curl.ts';

const baseUrl = 'http://localhost:3000';

test('a HEAD asks for the head alone', () => {
  expect(toCurl({ baseUrl, method: 'HEAD', path: '/payments/balance', body: null })).toMatch(/ \\\n {2}-I$/);
});

test('a GET is its address and a place for the key', () => {
  expect(toCurl({ baseUrl, method: 'GET', path: '/payments/transactions?text=***', body: null })).toBe(
    `curl 'http://localhost:3000/payments/transactions?text=***' \\\n  -H "x-api-key: $TRILHO_API_KEY"`,
  );
});

test('a shell hands every body to curl as it is, and runs nothing in it', () => {
  for (const body of ['{"a":"it\'s"}', '{"a":"$(touch /nope) `id` \\\\ \\" !"}', "'''", '']) {
    const command = toCurl({ baseUrl, method: 'POST', path: '/payments/transactions', body });
    const script = command.replace(/^curl/, 'printf "%s\\n"');
    const words = execFileSync('/bin/sh', ['-c', script], {
      env: { NODE_ENV: 'test', TRILHO_API_KEY: 'key' },
      encoding: 'utf8',
    });
    expect(words.split('\n')).toEqual([
      `${baseUrl}/payments/transactions`,
      ...['-H', 'x-api-key: key', '-X', 'POST', '-H', 'content-type: application/json', '-d', body, ''],
    ]);
  }
});
