import { expect, test } from 'vitest';
import { digestToday, nextDigest } from './digest-time.ts';
import { NOTICE_KINDS, type NoticeKind, OPTIONAL_NOTICES, wantedNotices, wantsNotice } from './notice-kinds.ts';

test('a member can turn every notice off but those of security and of what was agreed on', () => {
  const stored = Object.fromEntries(Object.keys(NOTICE_KINDS).map((kind) => [kind, false]));
  const kept = (Object.keys(NOTICE_KINDS) as NoticeKind[]).filter((kind) => wantsNotice(stored, kind));
  expect(kept).toEqual([
    ...['security_changed', 'people_changed', 'new_device'],
    ...['terms_changed', 'terms_planned', 'terms_plan_cancelled'],
  ]);
  const optional: readonly string[] = OPTIONAL_NOTICES;
  expect(kept.filter((kind) => optional.includes(kind))).toEqual([]);
});

test('no notice of security can wait for the digest', () => {
  const waiting = Object.entries(NOTICE_KINDS).filter(([, { isSecurity, mail }]) => isSecurity && mail !== 'now');
  expect(waiting).toEqual([]);
});

test('a notice about which nothing, or nonsense, is stored is wanted', () => {
  for (const stored of [null, 'x', {}, { webhook_failing: 'no' }])
    expect(wantsNotice(stored, 'webhook_failing')).toBe(true);
  expect(wantedNotices({ webhook_failing: false })).toMatchObject({ webhook_failing: false, withdrawal_failed: true });
});

test('the digest is due at eight in São Paulo, today or tomorrow', () => {
  const eight = '2026-11-20T11:00:00.000Z';
  expect(digestToday(new Date('2026-11-20T12:00:00Z')).toISOString()).toBe(eight);
  expect(nextDigest(new Date('2026-11-20T10:59:59Z')).toISOString()).toBe(eight);
  expect(nextDigest(new Date('2026-11-20T11:00:00Z')).toISOString()).toBe('2026-11-21T11:00:00.000Z');
  expect(nextDigest(new Date('2026-11-20T02:00:00Z')).toISOString()).toBe(eight);
});
