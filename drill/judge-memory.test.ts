import { expect, test } from 'vitest';
import { judgeMemory } from './judge-memory.ts';

const MINUTE_MS = 60_000;
/** Every ten seconds, in bytes, with the swing of a heap that is collected. */
const memory = (minutes: number, perHour: number, beganMinute = 0) =>
  Array.from({ length: minutes * 6 }, (_, number) => ({
    atMs: (beganMinute + number / 6) * MINUTE_MS,
    value: 200 * 1024 ** 2 * (1 + (perHour * number) / 360 + 0.01 * Math.sin(number / 5)),
  }));

test('memory that grows by more than a twentieth in an hour fails a soak, and less does not', () => {
  expect(judgeMemory('web0', memory(90, 0.1), 20 * MINUTE_MS).isTooMuch).toBe(true);
  expect(judgeMemory('web0', memory(90, 0.02), 20 * MINUTE_MS)).toEqual({
    text: expect.stringMatching(/^web0 20\d MB \+[12]\.\d % an hour \([^a-z]*to [^a-z]*\)$/),
    isTooMuch: false,
  });
});

test('the growth before the warm-up ends does not count', () => {
  const warmUp = memory(20, 3);
  const steady = memory(60, 0, 20).map(({ atMs, value }) => ({ atMs, value: 2 * value }));
  expect(judgeMemory('web0', [...warmUp, ...steady], 0).isTooMuch).toBe(true);
  expect(judgeMemory('web0', [...warmUp, ...steady], 20 * MINUTE_MS).isTooMuch).toBe(false);
});

test('a process is not judged that is younger than the warm-up, nor by so short a time that its swing hides the growth', () => {
  expect(judgeMemory('web1', memory(60, 0.5, 21), 20 * MINUTE_MS)).toEqual({
    text: 'web1 started too late to be judged',
    isTooMuch: false,
  });
  expect(judgeMemory('web1', memory(4, 0.06), MINUTE_MS)).toEqual({
    text: expect.stringContaining('too short to be judged'),
    isTooMuch: false,
  });
});
