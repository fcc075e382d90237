import { expect, test } from 'vitest';
import { apiKeyState } from './api-key-state.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const later = new Date(NOW.getTime() + 1);
const before = new Date(NOW.getTime() - 1);
const OTHER = '0193bd4e-6b8c-7d1e-9a2f-1c3d5e7f9a0b';

test.each([
  ['active', null, null, null],
  ['active', later, null, null],
  ['expired', NOW, null, null],
  ['expired', before, null, null],
  ['retiring', later, null, OTHER],
  ['replaced', NOW, null, OTHER],
  ['revoked', null, before, null],
  ['revoked', later, before, OTHER],
  ['revoked', before, before, null],
])(
  'a key is %s when it expires %j, was revoked %j and has the replacement %j',
  (state, expiresAt, revokedAt, replacedById) => {
    expect(apiKeyState({ expiresAt, revokedAt, replacedById }, NOW)).toBe(state);
  },
);
