import { describe, expect, it } from 'vitest';
import { REVIEW_REASONS } from '#domain/charges/charge-settlement.ts';
import { API_ERROR_CODES, ERROR_CATALOGUE, type ErrorCode, isPanelError } from '#domain/errors/error-catalogue.ts';
import { languages } from '#domain/values/language.ts';
import { DELIVERY_STATUSES } from '#domain/webhooks/events.ts';
import { CONTRADICTIONS } from '#domain/withdrawals/payout-failures.ts';
import { messages } from './messages.ts';
import { textsOf } from './testing/texts-of.ts';

/** Errors that never reached the service, in the pages' own words. */
const WITHOUT_ANSWER = ['offline', 'unreachable'];

/** Texts of which English has several, because the Portuguese word has several meanings. */
const SEVERAL_MEANINGS = [
  ...['Assunto', 'Cancelar', 'Cobrar {amount}', 'Consultar', 'Contestação aberta', 'Criada em'],
  ...['Criar cobrança PIX', 'Criar fatura cripto', 'De', 'Encerrar', 'Hora', 'Identificação'],
  ...['Informe um valor.', 'Negócio', 'Operação', 'Paga em', 'Pago em', 'Reativar', 'Recusar'],
  ...['Saque recusado', 'Valor'],
];

/** What counts files, ranges, minutes and the like, or is given as a text. */
const NEVER_A_THOUSAND = [
  ...['docs.', 'panel.disputes.files.', 'panel.keys.', 'panel.kyc.', 'panel.uploads.', 'panel.unmatched.assign.'],
  ...['panel.transactions.duration.', 'panel.transactions.ledger.', 'panel.transactions.why.'],
];

describe('the texts of the pages', () => {
  it('have every error of the catalogue that is for them, and no other', () => {
    const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
    for (const { errors, auth } of Object.values(messages)) {
      const known = new Set([...Object.keys(errors), ...Object.keys(auth.errors)]);
      expect(codes.filter((code) => isPanelError(code) && !known.has(code))).toEqual([]);
      const others = Object.keys(errors).filter((key) => !codes.includes(key as ErrorCode));
      expect(others).toEqual(WITHOUT_ANSWER);
      expect(
        Object.keys(errors).filter((key) => codes.includes(key as ErrorCode) && !isPanelError(key as ErrorCode)),
      ).toEqual([]);
    }
  });

  it('say of every error of the API what to do, and of no other', () => {
    for (const { docs } of Object.values(messages))
      expect(Object.keys(docs.errorCodes.actions).sort()).toEqual([...API_ERROR_CODES].sort());
  });

  it('say why something is in review, whichever the reason', () => {
    const reasons = [...REVIEW_REASONS, 'above_maximum', ...CONTRADICTIONS].sort();
    for (const { operator } of Object.values(messages))
      expect(Object.keys(operator.decisions.reasons).sort()).toEqual(reasons);
  });

  it('name the status of a delivery by one word, in the filter and on the badge', () => {
    for (const { panel } of Object.values(messages)) {
      const { log, states } = panel.webhooks;
      expect(Object.keys(log.statuses)).toEqual([...DELIVERY_STATUSES]);
      for (const status of DELIVERY_STATUSES) expect(log.statuses[status].toLowerCase()).toBe(states[status]);
    }
  });

  it('name the result of a request by one word, in the filter and on the badge', () => {
    for (const { panel } of Object.values(messages)) {
      const { classes, filters } = panel.requests;
      const words = Object.values(filters.statuses).map((text) => text.replace(/^\dxx /, ''));
      expect(words).toEqual([classes.ok, classes.refused, classes.failed]);
    }
  });

  it('say the same thing by the same English words wherever Portuguese has the same words', () => {
    const english = new Map<string, Set<string>>();
    const texts = textsOf(messages.en);
    for (const [path, text] of textsOf(messages['pt-BR'])) {
      english.set(text, (english.get(text) ?? new Set()).add(texts.get(path) ?? ''));
    }
    const several = [...english].filter(([, translations]) => translations.size > 1).map(([text]) => text);
    expect(several.sort()).toEqual(SEVERAL_MEANINGS);
  });

  it('say of a pause of withdrawals that it holds for API keys, too', () => {
    const paused = { 'pt-BR': /24 horas.*dinheiro|saques.*24 horas/, en: /24 hours.*money|withdrawals.*24 hours/ };
    const keys = { 'pt-BR': /chaves de API/, en: /API keys/ };
    for (const language of languages) {
      const texts = ['panel.security.turnOffText', 'auth.resetText'].map((path) =>
        textsOf(messages[language]).get(path),
      );
      for (const text of texts) {
        expect(text).toMatch(paused[language]);
        expect(text).toMatch(keys[language]);
      }
    }
  });

  it('group the digits of what is counted, where there may be a thousand of it', () => {
    const alone = /\{(count|made|paid|waiting|expired|cancelled|transfers|entries)\}/;
    for (const language of languages) {
      const found = [...textsOf(messages[language])].filter(([, text]) => alone.test(text)).map(([path]) => path);
      expect(found.filter((path) => !NEVER_A_THOUSAND.some((one) => path.startsWith(one)))).toEqual([]);
    }
  });

  it('exist in every language under the same keys, with the same placeholders', () => {
    expect(shapeOf(messages.en)).toEqual(shapeOf(messages['pt-BR']));
  });
});

it.each([
  ['Pagar {amount} · {merchant}', ['amount', 'merchant']],
  ['{count, plural, one {# hora de {name}} other {# horas}}', ['count', 'name']],
  ['{count, plural, one {hora} other {horas}}', ['count']],
  ['{at, date, short}', ['at']],
  ['sem nada', []],
])('the placeholders of "%s" are found', (text, names) => {
  expect(placeholdersOf(text)).toEqual(names);
});

/** Each text by its path, reduced to the placeholders that the page must fill. */
const shapeOf = (node: object): string[] => [...textsOf(node)].map(([path, text]) => `${path} ${placeholdersOf(text)}`);

/**
 * The names in an ICU message: of its arguments, and of those inside a plural's or select's
 * branches.
 */
function placeholdersOf(message: string): string[] {
  const names = new Set<string>();
  // What opened each brace that is not closed yet: an argument, or a branch, which is a message of
  // its own.
  const open: ('argument' | 'branch')[] = [];
  for (let at = 0; at < message.length; at++) {
    if (message[at] === '}') open.pop();
    if (message[at] !== '{') continue;
    if (open.at(-1) === 'argument') open.push('branch');
    else {
      open.push('argument');
      const name = /^\{\s*(\w+)\s*[,}]/.exec(message.slice(at))?.[1];
      if (name) names.add(name);
    }
  }
  return [...names].sort();
}
