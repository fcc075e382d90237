import { expect, test } from 'vitest';
import { auditChanges, auditChangesForMembers } from './audit-changes.ts';

test('the values before and after an act make one change, whatever the fields are called', () => {
  expect(auditChanges({ role_before: 'viewer', role: 'owner', operator: 'ana' })).toEqual([
    { name: 'role', before: 'viewer', after: 'owner' },
  ]);
  expect(auditChanges({ role_before: 'viewer' })).toEqual([{ name: 'role', before: 'viewer', after: null }]);
  expect(auditChanges({ topic: 'deposit', url: 'https://b', previous_url: 'https://a' })).toEqual([
    { name: 'topic', before: null, after: 'deposit' },
    { name: 'url', before: 'https://a', after: 'https://b' },
  ]);
  expect(auditChanges({ from: 'BTC', to: 'ETH' })).toEqual([{ name: 'value', before: 'BTC', after: 'ETH' }]);
  expect(auditChanges({ expires_at: null, permissions: '', subject: 'x', centavos: 5 })).toEqual([]);
});

test('members read what was agreed with them, and nothing of who decided and how', () => {
  const details = { name: 'Ana', reason: 'Suspeita', bucket: 3, 'limit daily_limit_out_pix': '5000' };
  const names = (action: string) => auditChangesForMembers(action, details).map(({ name }) => name);
  expect(names('unmatched.assigned')).toEqual(['limit daily_limit_out_pix']);
  expect(names('api_key.created')).toEqual(['name', 'limit daily_limit_out_pix']);
  expect(
    auditChangesForMembers('credentials.replaced', { provider: 'efi', fields: 'clientSecret', kind: 'api_pix' }).map(
      ({ after }) => after,
    ),
  ).toEqual(['efi', 'clientSecret']);
  expect(names('account.suspended')).toEqual(['reason', 'limit daily_limit_out_pix']);
});

test('a member reads the amounts of a threshold, and from when it applies', () => {
  const details = { before: 50, after: 100.5, applies_from: '2026-12-01T03:00:00.000Z' };
  const changes = [
    { name: 'threshold', before: '50', after: '100.5' },
    { name: 'applies_from', before: null, after: '2026-12-01T03:00:00.000Z' },
  ];
  expect(auditChanges(details)).toEqual(changes);
  expect(auditChangesForMembers('approval_threshold.proposed', details)).toEqual(changes);
  const none = { before: 50, after: null, applies_from: null };
  expect(auditChangesForMembers('approval_threshold.proposed', none)).toEqual([
    { name: 'threshold', before: '50', after: null },
  ]);
});

test('a member reads from when a limit applies, and not why the operator changed it', () => {
  const details = {
    subject: 'x',
    'limit daily_limit_out_pix_before': 'default',
    'limit daily_limit_out_pix': '5000',
    effective_from: '2026-12-01T03:00:00.000Z',
    reason: 'Acordo',
    operator: 'ana@trilho.example',
  };
  expect(auditChangesForMembers('account.terms_planned', details).map(({ name, after }) => [name, after])).toEqual([
    ['limit daily_limit_out_pix', '5000'],
    ['effective_from', '2026-12-01T03:00:00.000Z'],
  ]);
});
