import { expect, test } from 'vitest';
import { eventIdOf, publicEventId } from './events.ts';

const ID = '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b';
const OTHER = '0193bd4f-0000-7000-8000-000000000001';

test('an event has one public id, and another event another one', () => {
  expect(publicEventId(OTHER)).toBe('evt_0193bd4f000070008000000000000001');
  expect(publicEventId(ID)).not.toBe(publicEventId(OTHER));
  expect(eventIdOf(publicEventId(ID))).toBe(ID);
});
