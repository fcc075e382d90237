import { describe, expect, test } from 'vitest';
import { SECRET_OVERLAP_MS, secretsThatSigned, signingSecrets } from './webhook-secrets.ts';

const rotated = Date.parse('2026-11-20T12:00:00.000Z');
const at = (ms: number) => new Date(rotated + ms);
const secrets = { current: 'new', previous: 'old', until: at(SECRET_OVERLAP_MS) };
const endedEarly = { current: 'new', previous: null, until: at(5_000) };
const never = { current: 'only', previous: null, until: null };

test('a day after a rotation, and not longer, the previous secret signs beside the new one', () => {
  expect(SECRET_OVERLAP_MS).toBe(24 * 3_600_000);
  expect(signingSecrets(secrets, at(0))).toEqual(['new', 'old']);
  expect(signingSecrets(secrets, at(SECRET_OVERLAP_MS - 1))).toEqual(['new', 'old']);
  expect(signingSecrets(secrets, at(SECRET_OVERLAP_MS))).toEqual(['new']);
  expect(signingSecrets(endedEarly, at(0))).toEqual(['new']);
  expect(signingSecrets(never, at(0))).toEqual(['only']);
});

describe('which secrets signed what was sent', () => {
  test('is certain since the last rotation', () => {
    expect(secretsThatSigned(secrets, at(1))).toEqual(['new', 'old']);
    expect(secretsThatSigned(secrets, at(SECRET_OVERLAP_MS))).toEqual(['new']);
    expect(secretsThatSigned(endedEarly, at(5_001))).toEqual(['new']);
    expect(secretsThatSigned(never, at(-1e9))).toEqual(['only']);
  });

  test('is not guessed before it, nor within an overlap that was ended early', () => {
    expect(secretsThatSigned(secrets, at(0))).toBeNull();
    expect(secretsThatSigned(endedEarly, at(1))).toBeNull();
  });
});
