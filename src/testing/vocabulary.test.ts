import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['src', 'e2e', 'attack', 'bench', 'drill', 'fuzz', 'packages', 'scripts'];
/** Private words, each with the standard term that replaces it. */
const REPLACED: Record<string, RegExp> = {
  handler: /\bdoors?\b|[a-z]Doors?\b|\bDoors?[A-Z]?/,
  'price aggregator, token endpoint, currency cache': /\b(create)?(Quote|Token)Desk|[cC]urrencyBook/,
  'provider unavailable': /ProviderSilent|provider-silent/,
  drain: /\bworkOff\b/,
  'sync, poll, check health':
    /\b(watch|lookAt)(Charge|Invoice|Payout|Refund|(Failing|Gone)?Endpoint)\b|WatchedEndpoint/,
  withTransaction: /\batomically\(|\binTransaction\b/,
  'sandbox command, sandbox options': /\b[sS]andboxActs?\b|SANDBOX_ACTS|TestWorld|\bworld\./,
  'rate limit result, current block': /\b[vV]erdicts?\b(?!["':])|standingRejection/,
  'params, fields, state': /\bfacts\b|\w+Facts\b/,
  'purge, clean': /\btidy\w*|\bchores?\b/,
  'replacement key, is active': /\b[sS]uccessor\b|\bworksAt\b/,
  'pid file': /\bservice-file\b|ServiceFile\b/,
  'status style': /\b[sS]tatusLook\b/,
  'view state': /\b[kK]nowledge(Of)?\b/,
  'cache, invalidate': /announceAccountChange|REMEMBERED_|\bwasValid\b|isRemembered/,
  again: /\banew\b/,
  'they, them, their': /\b(he|him|his|himself|she|hers?|herself)\b(?!@)/,
  'issue (of a field), invalid_state': /\bnot_now\b|FieldFaults?\b|FaultText\b|\bfieldFaults\b|\binEnglish\b/,
  notify: /\btells?[A-Z]|[a-z]Tell\b/,
  'reject, rejection, error':
    /[a-z]Refus|\brefus(e|ed|al|als)[A-Z]|REFUSAL|^\s*(\*|\/\/|\/\*\*).*\b[rR]efus(e|es|ing|al|als|ed\b(?!:))\b/,
  'issue, error, discrepancy': /\b[fF]ault(s|y)?\b|[a-z]Faults?\b/,
  'expedite, started': /\b[hH]urr(y|ied)\b|'begun'/,
  'notified, sent, reported, shown': /\b[tT]old\b|[a-z]Told|\btold[A-Z]|\bTOLD/,
  'no one, none, unknown, without': /\bNOBODYS?\b|[a-z]Nobody|(const|let) nobody\b/,
};

/** A term of the field where it is used: a drill injects faults. */
const ALLOWED: Record<string, RegExp> = { 'issue, error, discrepancy': /^drill\// };

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
).filter(
  (name) =>
    /\.(ts|tsx|mjs|json|css)$/.test(name) &&
    !/generated|node_modules|\bdist\b/.test(name) &&
    !name.endsWith('vocabulary.test.ts'),
);

test.each(Object.entries(REPLACED))('the source says "%s" wherever it means one', (term, words) => {
  const found = files
    .filter((name) => !ALLOWED[term]?.test(name))
    .flatMap((name) =>
      readFileSync(join(ROOT, name), 'utf8')
        .split('\n')
        .flatMap((line, index) => (words.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : [])),
    );
  expect(found).toEqual([]);
});

test('planted: a private word is found in code, in prose and in a name', () => {
  for (const line of ['const door = 1;', '// Behind two doors.', 'type AuthDoor = {};', 'open(doors: Doors)'])
    expect(REPLACED.handler?.test(line)).toBe(true);
  expect(REPLACED.handler?.test('outdoors, endorse')).toBe(false);
});
