import { expect, test } from 'vitest';
import { findOrAddSystemUser } from './system-user.ts';

/** An operating system that records in order what is done and announced. */
function operatingSystem(names: string[], canAdd = true) {
  const done: string[] = [];
  const users = {
    find: (name: string) => (names.includes(name) ? { uid: 101, gid: 102 } : undefined),
    add(name: string) {
      done.push(`added ${name}`);
      if (canAdd) names.push(name);
    },
  };
  return { users, done, announce: (sentence: string) => done.push(sentence) };
}

test('a start as root says that it adds the user postgres, and how to forbid it, before it adds it', () => {
  const { users, done, announce } = operatingSystem(['root']);
  expect(findOrAddSystemUser({ mayAdd: true, announce }, users)).toEqual({ uid: 101, gid: 102 });
  expect(done).toEqual([
    expect.stringMatching(/^Adding the system user postgres: .*SYSTEM_CHANGES=refuse/),
    'added postgres',
  ]);
});

test('with SYSTEM_CHANGES=refuse no user is added, and the start says what to do instead', () => {
  const { users, done, announce } = operatingSystem(['root']);
  expect(() => findOrAddSystemUser({ mayAdd: false, announce }, users)).toThrow(
    /SYSTEM_CHANGES=refuse .*Run Trilho as an ordinary user, add the user yourself .*, or set DATABASE_URL\.$/,
  );
  expect(done).toEqual([]);
});

test('a system user postgres that is there is used, whether one may be added or not, and nothing is said', () => {
  for (const mayAdd of [true, false]) {
    const { users, done, announce } = operatingSystem(['root', 'postgres']);
    expect(findOrAddSystemUser({ mayAdd, announce }, users)).toEqual({ uid: 101, gid: 102 });
    expect(done).toEqual([]);
  }
});

test('a system that adds no user fails the start with one line that says what to do', () => {
  const { users, announce } = operatingSystem(['root'], false);
  expect(() => findOrAddSystemUser({ mayAdd: true, announce }, users)).toThrow(/could not be added.*DATABASE_URL/);
});
