import { expect, test } from 'vitest';
import { dropAllKept, dropKept, keep, readKept, type Storage } from './kept.ts';
import { fieldsOf } from './use-draft.ts';

const HOUR_MS = 3_600_000;
const maria = { accountId: 'a1', email: 'maria@example.com' };

test('what is kept is read again by the same member, in the same account, under the same name', () => {
  const tab = storage();
  keep(maria, 'charge', { amount: 12.5 }, 0, tab);
  expect(readKept(maria, 'charge', 1, tab)).toEqual({ amount: 12.5 });
  expect(readKept({ ...maria, accountId: 'a2' }, 'charge', 1, tab)).toBeNull();
  expect(readKept({ ...maria, email: 'ana@example.com' }, 'charge', 1, tab)).toBeNull();
  expect(readKept(maria, 'withdrawal', 1, tab)).toBeNull();
});

test('a draft is gone after a day and when it is dropped, and a stored text that is no draft is ignored', () => {
  const tab = storage();
  keep(maria, 'charge', { amount: 1 }, 0, tab);
  expect(readKept(maria, 'charge', 23 * HOUR_MS, tab)).not.toBeNull();
  expect(readKept(maria, 'charge', 25 * HOUR_MS, tab)).toBeNull();
  dropKept(maria, 'charge', tab);
  expect(tab.length).toBe(0);
  for (const text of ['', '{', 'null', '[]', '{"at":"x"}']) {
    keep(maria, 'charge', {}, 0, tab);
    tab.setItem(tab.key(0) ?? '', text);
    expect(readKept(maria, 'charge', 1, tab)).toBeNull();
  }
});

test('a secret is never kept, however a form names it', () => {
  const tab = storage();
  const secrets = {
    password: 'p',
    newPassword: 'p',
    code: '1',
    recovery_code: 'r',
    secret_key: 's',
    apiToken: 't',
    totp: '2',
  };
  keep(maria, 'any', { ...secrets, name: 'Maria', inner: secrets }, 0, tab);
  expect(readKept(maria, 'any', 1, tab)).toEqual({ name: 'Maria', inner: {} });
});

// ASVS 14.3.1
test('signing out drops every draft, another member’s sign-in those of others, and neither drops entries of other scripts', () => {
  const tab = storage();
  tab.setItem('mantine', 'x');
  const ana = { accountId: 'a1', email: 'ana@example.com' };
  keep(maria, 'charge', { amount: 1 }, 0, tab);
  keep(maria, 'withdrawal', { amount: 1 }, 0, tab);
  keep(ana, 'charge', { amount: 2 }, 0, tab);
  dropAllKept({ but: ana.email }, tab);
  expect(readKept(maria, 'charge', 1, tab)).toBeNull();
  expect(readKept(ana, 'charge', 1, tab)).toEqual({ amount: 2 });
  dropAllKept({}, tab);
  expect([tab.length, tab.getItem('mantine')]).toEqual([1, 'x']);
});

test('a browser that stores nothing causes no error', () => {
  const full: Storage = {
    ...storage(),
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  keep(maria, 'charge', { amount: 1 }, 0, full);
  expect(readKept(maria, 'charge', 1, full)).toBeNull();
});

test('only fields that the form still has come back, and only plain ones', () => {
  const form = { days: 1, amount: '', name: '', ips: [] as string[] };
  const kept = { days: 5, amount: '1.500', name: 'x', ips: ['a'] };
  expect(fieldsOf(form, { ...kept, gone: 1 })).toEqual(kept);
  // An older version kept a number where the form now has a text.
  expect(fieldsOf(form, { ...kept, amount: 5 })).toEqual({ days: 5, name: 'x', ips: ['a'] });
  expect(fieldsOf(form, { days: {}, amount: {}, name: ['x'], ips: 'a' })).toEqual({});
  for (const nothing of [null, undefined, 'text', 3, []]) expect(fieldsOf(form, nothing)).toEqual({});
});

function storage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}
