import { expect, test } from 'vitest';
import { inTurns } from './operations.ts';

const request = (path: string) => ({ method: 'GET' as const, path });

test('operations in turns are sent equally often, also where one has more requests', () => {
  const mixed = inTurns('both', [
    { name: 'balance', requests: [request('/balance')] },
    { name: 'status', requests: [request('/status/1'), request('/status/2')] },
  ]);
  expect(mixed.requests.map(({ path }) => path)).toEqual(['/balance', '/status/1', '/balance', '/status/2']);
});
