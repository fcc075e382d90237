import { expect, test } from 'vitest';
import { lastFatal } from './last-fatal.ts';

const line = (text: string) => `2026-11-23 13:16:02 UTC [4711] ${text}`;

test('a server’s end has its own reason, not that of a connection that it rejected meanwhile', () => {
  const log = [
    line('LOG:  starting point-in-time recovery'),
    line('FATAL:  the database system is starting up'),
    line('FATAL:  recovery ended before configured recovery target was reached'),
    line('FATAL:  the database system is in recovery mode'),
    line('LOG:  shutting down'),
  ];
  expect(lastFatal(log.join('\n'))).toBe('recovery ended before configured recovery target was reached.');
});

test('what was said last is the reason where there is no other', () => {
  expect(lastFatal(line('FATAL:  the database system is starting up'))).toBe('the database system is starting up.');
  expect(lastFatal('postgres: could not access the server configuration file')).toBe(
    'postgres: could not access the server configuration file.',
  );
  expect(lastFatal('')).toBe('it gave no reason.');
});
