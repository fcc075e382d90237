import { expect, test } from 'vitest';
import { createDeliveryPlaces, type DeliveryPlaces } from './delivery-places.ts';

const SECOND = 1_000;

/** A receiver of an account of its own. */
const to = (receiver: string, accountId = receiver) => ({ accountId, origin: `https://${receiver}` });

/** Takes places until there is none, and returns how many there were. */
function takeAll(places: DeliveryPlaces, receiver: string, nowMs: number): number {
  for (let taken = 0; ; taken++) if ('stepBackMs' in places.enter(to(receiver), nowMs)) return taken;
}

function take(places: DeliveryPlaces, receiver: string, nowMs: number, accountId?: string) {
  const place = places.enter(to(receiver, accountId), nowMs);
  if ('stepBackMs' in place) throw new Error(`${receiver} has no place.`);
  return place;
}

test('a receiver that answers has a good part of the worker, and no more', () => {
  const places = createDeliveryPlaces();
  for (const receiver of ['one', 'another']) take(places, receiver, 0).leave(true);
  expect(takeAll(places, 'one', 0)).toBe(24);
  expect(places.enter(to('one'), 0)).toEqual({ stepBackMs: 250 });
  expect(takeAll(places, 'another', 0)).toBe(24);
});

test('a receiver that has not answered for a second gets two places, before anything timed out', () => {
  const places = createDeliveryPlaces();
  take(places, 'hangs', 0).leave(true);
  take(places, 'hangs', 0);
  expect(takeAll(places, 'hangs', SECOND - 1)).toBe(23);
  const other = createDeliveryPlaces();
  take(other, 'hangs', 0);
  expect(takeAll(other, 'hangs', SECOND)).toBe(1);
  expect(other.enter(to('hangs'), SECOND)).toEqual({ stepBackMs: 5_000 });
});

test('a receiver whose last attempt failed gets two places, and all of them again once it answers', () => {
  const places = createDeliveryPlaces();
  take(places, 'one', 0).leave(false);
  const first = take(places, 'one', 0);
  take(places, 'one', 0);
  expect(places.enter(to('one'), 0)).toEqual({ stepBackMs: 5_000 });
  first.leave(true);
  expect(takeAll(places, 'one', 0)).toBe(23);
});

test('however many receivers hang, half of the worker is left to those that answer', () => {
  const places = createDeliveryPlaces();
  let underway = 0;
  for (let receiver = 0; receiver < 100; receiver++) {
    take(places, `dead ${receiver}`, 0).leave(false);
    underway += takeAll(places, `dead ${receiver}`, 0);
  }
  expect(underway).toBe(32);
  take(places, 'healthy', 0).leave(true);
  expect(takeAll(places, 'healthy', 0)).toBe(24);
});

test('places are given back: a receiver that was in trouble blocks nobody once it has answered', () => {
  const places = createDeliveryPlaces();
  for (let receiver = 0; receiver < 100; receiver++) {
    take(places, `dead ${receiver}`, 0).leave(false);
    take(places, `dead ${receiver}`, 0).leave(true);
  }
  take(places, 'dead 0', 0).leave(false);
  expect(takeAll(places, 'dead 0', 0)).toBe(2);
});

test('a new receiver has four places until it has answered', () => {
  const places = createDeliveryPlaces();
  const first = take(places, 'new', 0);
  expect(takeAll(places, 'new', 0)).toBe(3);
  first.leave(true);
  expect(takeAll(places, 'new', 0)).toBe(21);
});

test('an account whose receivers are all new ones that hang has twelve places, and others have theirs', () => {
  const places = createDeliveryPlaces();
  const enter = (receiver: number, nowMs: number) => places.enter(to(`new ${receiver}`, 'account'), nowMs);
  const [first] = Array.from({ length: 12 }, (_, n) => take(places, `new ${n}`, 0, 'account'));
  expect(enter(12, 0)).toEqual({ stepBackMs: 250 });
  expect(enter(13, SECOND)).toEqual({ stepBackMs: 5_000 });
  expect(takeAll(places, 'other', SECOND)).toBe(4);
  first?.leave(false);
  expect(enter(14, SECOND)).toHaveProperty('leave');
  expect(enter(15, SECOND)).toEqual({ stepBackMs: 5_000 });
});

test('an account has a good part of the worker, however many receivers it has', () => {
  const places = createDeliveryPlaces();
  for (let receiver = 0; receiver < 30; receiver++) take(places, `known ${receiver}`, 0, 'account').leave(true);
  for (let receiver = 0; receiver < 28; receiver++) take(places, `known ${receiver}`, 0, 'account');
  expect(places.enter(to('known 29', 'account'), 0)).toEqual({ stepBackMs: 250 });
});
