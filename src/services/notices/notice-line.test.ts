import { expect, test } from 'vitest';
import { NOTICE_KINDS, type NoticeKind } from '#domain/notices/notice-kinds.ts';
import { noticePage } from '#domain/notices/notice-page.ts';
import { languages } from '#domain/values/language.ts';
import { MAIL_TEXTS, type PeopleChange, type SecurityChange } from '../mail/mail-texts.ts';
import { type NoticeParams, noticeLine } from './notice-line.ts';

const at = new Date('2026-11-20T17:05:00Z');

const PARAMS: { [K in NoticeKind]: NoticeParams<K> } = {
  security_changed: { what: 'api_key_created', about: 'Loja (tr_live_ab…)', by: 'Ana', at, ipAddress: '192.0.2.1' },
  people_changed: { what: 'joined', person: 'ana@example.com' },
  new_device: { at, ipAddress: '192.0.2.1' },
  terms_changed: { from: at },
  terms_planned: { from: at },
  terms_plan_cancelled: { from: at },
  verification_decided: { approved: true, reason: '' },
  withdrawal_failed: { reais: 60 },
  withdrawal_waits: { reais: 60, by: 'Ana', decideBy: at },
  batch_waits: { reais: 60, rows: '50', by: 'Ana', decideBy: at },
  webhook_failing: { host: 'loja.example.com' },
  webhook_disabled: { host: 'loja.example.com' },
  limit_nearly_reached: { limit: 'daily_limit_out_pix', usedReais: 800, limitReais: 1000, endsAt: at },
  dispute_opened: { reais: 60, answerBy: at },
  dispute_due_soon: { reais: 60, answerBy: at },
  reconciliation_differs: { startsAt: at },
};
const kinds = Object.keys(NOTICE_KINDS) as NoticeKind[];

test.each(languages)('every kind of notice has a line of its own in %s, and a page', (language) => {
  const lines = kinds.map((kind) => noticeLine(kind, PARAMS[kind] as never, language));
  for (const { text, about } of lines) expect(`${text} ${about}`).not.toMatch(/[{}\n]|undefined/);
  expect(new Set(lines.map(({ text }) => text)).size).toBe(kinds.length);
  for (const kind of kinds) expect(noticePage(kind, 'subject', PARAMS[kind])).toMatch(/^\/[a-z]+(\/subject)?$/);
});

test('every change of security and of people has a line and a page', () => {
  const texts = MAIL_TEXTS['pt-BR'];
  for (const what of Object.keys(texts.changes) as SecurityChange[]) {
    const params = { ...PARAMS.security_changed, what };
    expect(noticeLine('security_changed', params, 'pt-BR').text).toBe(texts.changes[what]);
    expect(noticePage('security_changed', null, params)).toMatch(/^\/[a-z]+$/);
  }
  for (const what of Object.keys(texts.people) as PeopleChange[]) {
    const line = noticeLine('people_changed', { what, person: 'a@b.co' }, 'en');
    expect(line).toEqual({ text: MAIL_TEXTS.en.people[what], about: 'a@b.co' });
  }
  expect(noticePage('security_changed', null, { what: 'api_key_created' })).toBe('/chaves');
  expect(noticePage('security_changed', null, { what: 'payees_threshold_set' })).toBe('/favorecidos');
});

test('the line of a limit that is nearly reached says which limit, and how much of it is used', () => {
  const { text } = noticeLine('limit_nearly_reached', PARAMS.limit_nearly_reached, 'pt-BR');
  expect(text).toMatch(/^Limite diário de saques PIX: R\$.800,00 de R\$.1\.000,00 usados$/);
});
