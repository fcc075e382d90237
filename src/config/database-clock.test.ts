import { expect, test } from 'vitest';
import { createDatabaseClock } from './database-clock.ts';

const NOON = Date.parse('2026-11-23T12:00:00.000Z');
const HOUR_MS = 60 * 60_000;

/** A machine whose clock can be set: durations are measured by another one, which nobody sets. */
function machineAt(nowMs: number) {
  const machine = { ownMs: nowMs, elapsed: 0 };
  const clock = createDatabaseClock({ now: () => machine.ownMs, elapsedMs: () => machine.elapsed });
  return {
    clock,
    nowMs: () => clock.now().getTime(),
    pass(ms: number) {
      machine.ownMs += ms;
      machine.elapsed += ms;
    },
    setClock(ms: number) {
      machine.ownMs = ms;
    },
  };
}

test.each([HOUR_MS, -HOUR_MS])('the time of a process is the database’s, on a machine that is %d ms wrong', (wrong) => {
  const { clock, nowMs, pass } = machineAt(NOON + wrong);
  expect(nowMs()).toBe(NOON + wrong);
  clock.follow({ now: new Date(NOON), roundTripMs: 0 });
  expect(nowMs()).toBe(NOON);
  pass(400);
  expect(nowMs()).toBe(NOON + 400);
});

test.each([HOUR_MS, -HOUR_MS])('setting the machine’s clock by %d ms does not change the time', (step) => {
  const { clock, nowMs, pass, setClock } = machineAt(NOON);
  clock.follow({ now: new Date(NOON), roundTripMs: 0 });
  pass(100);
  setClock(NOON + step);
  expect(nowMs()).toBe(NOON + 100);
});

test('the time stands still, and does not go back, while the database’s machine is less than a second behind', () => {
  const { clock, nowMs, pass } = machineAt(NOON);
  clock.follow({ now: new Date(NOON), roundTripMs: 0 });
  pass(1_000);
  expect(nowMs()).toBe(NOON + 1_000);
  clock.follow({ now: new Date(NOON + 900), roundTripMs: 0 });
  expect(nowMs()).toBe(NOON + 1_000);
  pass(120);
  expect(nowMs()).toBe(NOON + 1_020);
});

test('the time follows the database’s machine when its clock is set back', () => {
  const { clock, nowMs } = machineAt(NOON);
  clock.follow({ now: new Date(NOON), roundTripMs: 0 });
  expect(nowMs()).toBe(NOON);
  clock.follow({ now: new Date(NOON - HOUR_MS), roundTripMs: 0 });
  expect(nowMs()).toBe(NOON - HOUR_MS);
});

test.each([HOUR_MS, -HOUR_MS])(
  'the time is steady from the first answer on, and again after a step of %d ms',
  (step) => {
    const { clock, pass } = machineAt(NOON);
    pass(1_000);
    expect(clock.steadyForMs()).toBe(0);
    clock.follow({ now: new Date(NOON + 1_000), roundTripMs: 0 });
    pass(2_000);
    // Less than a second ahead, as clocks that are kept synchronised are: no step.
    clock.follow({ now: new Date(NOON + 3_900), roundTripMs: 0 });
    pass(500);
    expect(clock.steadyForMs()).toBe(2_500);
    clock.follow({ now: new Date(NOON + 4_400 + step), roundTripMs: 0 });
    expect(clock.steadyForMs()).toBe(0);
    pass(700);
    clock.follow({ now: new Date(NOON + 5_100 + step), roundTripMs: 0 });
    expect(clock.steadyForMs()).toBe(700);
  },
);

test('a slow answer of the database changes the time only where it contradicts it', () => {
  const { clock, nowMs, pass } = machineAt(NOON);
  clock.follow({ now: new Date(NOON), roundTripMs: 0 });
  pass(5_000);
  clock.follow({ now: new Date(NOON + 1_000), roundTripMs: 4_000 });
  expect(nowMs()).toBe(NOON + 5_000);
  clock.follow({ now: new Date(NOON + 9_000), roundTripMs: 4_000 });
  expect(nowMs()).toBe(NOON + 9_000);
});
