import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeTurns } from './take-turns.ts';

test('sides that take turns change their order from round to round', async () => {
  const order: string[] = [];
  const rounds = await takeTurns(['one', 'two'], 3, async (side, round) => {
    order.push(`${round} ${side}`);
    return round;
  });
  expect(order).toEqual(['0 one', '0 two', '1 two', '1 one', '2 one', '2 two']);
  expect(rounds).toEqual([
    { one: 0, two: 0 },
    { one: 1, two: 1 },
    { one: 2, two: 2 },
  ]);
});

test('no side that takes turns runs beside another', async () => {
  let running = 0;
  await takeTurns(['one', 'two', 'three'], 2, async () => {
    expect(++running).toBe(1);
    await sleep(1);
    running--;
  });
  expect(running).toBe(0);
});

test('a side that fails ends the turns', async () => {
  let runs = 0;
  const fail = takeTurns(['one', 'two'], 5, async (side) => {
    runs++;
    if (side === 'two') throw new Error('two is away');
  });
  await expect(fail).rejects.toThrow('two is away');
  expect(runs).toBe(2);
});
