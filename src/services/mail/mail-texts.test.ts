import { expect, test } from 'vitest';
import { languages } from '#domain/values/language.ts';
import { textsOf } from '#messages/testing/texts-of.ts';
import { MAIL_TEXTS, mailText, type SecurityChange } from './mail-texts.ts';

test('a message has the same texts in every language, naming the same params', () => {
  expect(namesOf(MAIL_TEXTS.en)).toEqual(namesOf(MAIL_TEXTS['pt-BR']));
});

test.each(languages)('messages in %s leave no placeholder without a value, and no two are the same', (language) => {
  const url = 'https://pay.example.com/entrar';
  const to = { name: 'Maria', url };
  const changed = { about: 'Loja', by: null, at: new Date('2026-11-20T17:05:00Z'), ipAddress: '192.0.2.1' };
  const sent = [
    mailText('sign_up_link', { url }, language),
    mailText('ask_for_invitation', { merchant: 'Loja Azul' }, language),
    mailText('invitation', { merchant: 'Loja Azul', url }, language),
    mailText('people_changed', { ...to, what: 'invited', person: 'a@b.co' }, language),
    mailText('people_changed', { ...to, what: 'joined', person: 'a@b.co' }, language),
    mailText('people_changed', { ...to, what: 'role_changed', person: 'a@b.co' }, language),
    mailText('people_changed', { ...to, what: 'removed', person: 'a@b.co' }, language),
    mailText('already_signed_up', to, language),
    mailText('reset_password', to, language),
    ...(Object.keys(MAIL_TEXTS[language].changes) as SecurityChange[]).map((what) =>
      mailText('security_changed', { ...to, ...changed, what }, language),
    ),
    mailText('verification_decided', { ...to, approved: true, reason: '' }, language),
    mailText('verification_decided', { ...to, approved: false, reason: 'Falta o contrato.' }, language),
    mailText('withdrawal_failed', { ...to, reais: 60 }, language),
    mailText('webhook_failing', { ...to, host: 'loja.example.com' }, language),
    mailText('webhook_disabled', { ...to, host: 'loja.example.com' }, language),
    mailText('webhook_disabled', { ...to, host: 'loja.example.com', reason: 'failing' }, language),
    mailText('withdrawal_waits', { ...to, reais: 60, by: 'Ana', decideBy: changed.at }, language),
    mailText('dispute_opened', { ...to, reais: 60, answerBy: changed.at }, language),
    mailText('dispute_due_soon', { ...to, reais: 60, answerBy: changed.at }, language),
    mailText('terms_changed', { ...to, from: changed.at }, language),
    mailText('terms_planned', { ...to, from: changed.at }, language),
    mailText('terms_plan_cancelled', { ...to, from: changed.at }, language),
    mailText('new_device', { ...to, at: changed.at, ipAddress: null }, language),
    ...(['daily_limit_out_pix', 'night_limit_out_pix', 'daily_limit_out_crypto'] as const).map((limit) =>
      mailText('limit_nearly_reached', { ...to, limit, usedReais: 80, limitReais: 100, endsAt: changed.at }, language),
    ),
    mailText('reconciliation_differs', { ...to, startsAt: changed.at }, language),
    mailText('digest', { ...to, lines: '– Nada' }, language),
    mailText('log_archive_failed', { reason: 'ENOENT' }, language),
    mailText('backup_failed', { dueAt: changed.at, file: 'trilho.backup', reason: 'ENOSPC' }, language),
  ];
  for (const { subject, text } of sent) expect(subject + text).not.toMatch(/[{}]|undefined|null/);
  expect(new Set(sent.map(({ text }) => text)).size).toBe(sent.length);
});

test.each([
  ['pt-BR', /^Olá(, \{name\})?\.\n\n/],
  ['en', /^Hello( \{name\})?,\n\n/],
] as const)('every message in %s greets its reader alike', (language, greeting) => {
  const texts = [...textsOf(MAIL_TEXTS[language].messages)].filter(([path]) => path.endsWith('.text'));
  expect(texts.filter(([, text]) => !greeting.test(text)).map(([path]) => path)).toEqual([]);
  expect(texts.length).toBeGreaterThan(20);
});

test('the message of a change says who, when and from where, as far as it is known', () => {
  const params = { name: 'Maria', url: 'https://pay.example.com', what: 'password' as const, about: null, by: null };
  const at = new Date('2026-11-20T17:05:00Z');
  expect(mailText('security_changed', { ...params, at, ipAddress: null }, 'pt-BR').text).toContain(
    'Uma senha foi trocada.\n\nQuem: quem opera esta instalação\nQuando: 20/11/2026, 14:05 (horário de Brasília)\n\nSe',
  );
});

test('no reader takes the month of a date for its day: numbers in the order of Brazil, or the name of the month', () => {
  const answerBy = new Date('2026-12-01T20:00:00Z');
  const due = { name: 'Maria', url: 'https://pay.example.com', reais: 60, answerBy };
  const day = { name: 'Maria', url: 'https://pay.example.com', startsAt: answerBy };
  const subjects = languages.flatMap((language) => [
    mailText('dispute_due_soon', due, language).subject,
    mailText('reconciliation_differs', day, language).subject,
  ]);
  expect(subjects.map((subject) => subject.replace(/\s/g, ' '))).toEqual([
    expect.stringContaining('01/12/2026, 17:00'),
    expect.stringContaining('01/12/2026'),
    expect.stringContaining('Dec 1, 2026, 5:00 PM'),
    expect.stringContaining('Dec 1, 2026'),
  ]);
});

test('a name that looks like a param stays a name', () => {
  const { text } = mailText('invitation', { merchant: 'Loja {url}', url: 'https://pay.example.com' }, 'pt-BR');
  expect(text).toContain('negócio Loja {url}.');
});

/** Each text by its path, with the params that it names. */
function namesOf(node: object, path = ''): string[] {
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [`${path}.${key} ${[...new Set(value.match(/\{\w+\}/g))].sort().join(' ')}`]
      : namesOf(value, `${path}.${key}`),
  );
}
