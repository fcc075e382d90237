import { expect, test } from 'vitest';
import { createTaskPlaces, type TaskPlaces } from './task-places.ts';

/** Places of a worker, and how many tasks of a server got one of so many that asked. */
function setUp() {
  const slow: string[] = [];
  const places = createTaskPlaces((server) => void slow.push(server));
  return { places, slow, take: (server: string, count: number, nowMs = 0) => take(places, server, count, nowMs) };
}

function take(places: TaskPlaces, server: string, count: number, nowMs: number) {
  const taken: { leave(): void }[] = [];
  const steppedBackMs: number[] = [];
  for (let number = 0; number < count; number++) {
    const place = places.enter(server, nowMs);
    if ('stepBackMs' in place) steppedBackMs.push(place.stepBackMs);
    else taken.push(place);
  }
  return { taken, steppedBackMs };
}

test('a provider that answers gets 32 of the 64 places, and one whose last call was slow 12', () => {
  const { places, slow, take } = setUp();
  const healthy = take('bank', 64);
  expect(healthy.taken).toHaveLength(32);
  expect([places.areShort(23), places.areShort(24)]).toEqual([false, true]);
  places.note('bank', 2_500);
  expect(slow).toEqual(['bank']);
  expect(places.areShort(0)).toBe(true);
  for (const place of healthy.taken) place.leave();
  const troubled = take('bank', 64);
  expect(troubled.taken).toHaveLength(12);
  for (const place of troubled.taken) place.leave();
  places.note('bank', 2_499);
  expect([places.areShort(23), places.areShort(24)]).toEqual([false, true]);
  expect(take('bank', 64).taken).toHaveLength(32);
});

test('however many providers are slow, 40 places are left for what waits for none of them', () => {
  const { places, take } = setUp();
  let taken = 0;
  for (let bank = 0; bank < 10; bank++) {
    places.note(`bank ${bank}`, 15_000);
    taken += take(`bank ${bank}`, 64).taken.length;
  }
  expect(taken).toBe(24);
  expect(take('another bank', 64).taken).toHaveLength(32);
});

test('places that were taken while a provider was quick are given back as such', () => {
  const { places, take } = setUp();
  const { taken } = take('bank', 32);
  places.note('bank', 15_000);
  for (const place of taken) place.leave();
  for (const bank of ['bank', 'other bank', 'third bank']) places.note(bank, 15_000);
  expect(['bank', 'other bank', 'third bank'].map((bank) => take(bank, 64).taken.length)).toEqual([12, 12, 0]);
});

test('tasks that get no place come back one after the other, and all of them within a minute', () => {
  const { places, take } = setUp();
  expect(take('quick bank', 35).steppedBackMs).toEqual([250, 260, 270]);
  expect(Math.max(...take('quick bank', 2_000).steppedBackMs)).toBe(5_000);
  places.note('slow bank', 15_000);
  const { steppedBackMs } = take('slow bank', 5_000);
  expect(steppedBackMs.slice(0, 3)).toEqual([5_000, 5_050, 5_100]);
  expect(Math.max(...steppedBackMs)).toBe(60_000);
  expect(take('slow bank', 13, 120_000).steppedBackMs[0]).toBe(5_000);
});

test('a provider that goes on being slow is said to be so once', () => {
  const { places, slow } = setUp();
  for (const durationMs of [3_000, 15_000, 100, 3_000]) places.note('bank', durationMs);
  expect(slow).toEqual(['bank', 'bank']);
});
