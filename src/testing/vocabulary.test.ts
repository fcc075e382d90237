import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** All that git has, but for what a release said, and SQL that has run. */
const EXCEPT = /^(CHANGELOG\.md|LICENSE|package-lock\.json|prisma\/migrations\/|public\/)|vocabulary\.test\.ts$/;
/** Private words, each with the standard term that replaces it. */
const REPLACED: Record<string, RegExp> = {
  handler: /\bdoors?\b|[a-z]Doors?\b|\bDoors?[A-Z]?/,
  'price aggregator, token endpoint, currency cache': /\b(create)?(Quote|Token)Desk|\bdesks?\b|[cC]urrencyBook/,
  'provider unavailable':
    /ProviderSilent|provider-silent|\b[sS]ilent (provider|processor|PSP)|\b(provider|processor|PSP)( that)? is silent/,
  drain: /\bworkOff\b/,
  'sync, poll, check health':
    /\b(watch|lookAt)(Charge|Invoice|Payout|Refund|(Failing|Gone)?Endpoint)\b|WatchedEndpoint|\blooked at\b/,
  withTransaction: /\batomically\(|\binTransaction\b/,
  'sandbox command, sandbox options': /\b[sS]andboxActs?\b|SANDBOX_ACTS|TestWorld|(?<!outside |')\bworld\b/,
  'rate limit result, current block': /\b[vV]erdicts?\b(?!["':])|standingRejection/,
  'params, fields, state': /\bfacts\b|\w+Facts\b/,
  'purge, clean': /\btidy\w*|\bchores?\b/,
  'replacement key, is active': /\b[sS]uccessor\b|\bworksAt\b/,
  'pid file': /\bservice-file\b|ServiceFile\b/,
  'status style': /\b[sS]tatusLook\b/,
  'view state': /\b[kK]nowledge(Of)?\b/,
  'cache, invalidate':
    /announceAccountChange|REMEMBERED_|\bwasValid\b|isRemembered|\bforgets?\b|[a-z]Forget\b|\bforget[A-Z]/,
  again: /\banew\b/,
  'they, them, their': /\b(he|him|his|himself|she|hers?|herself)\b(?!@)/,
  'issue (of a field), invalid_state': /\bnot_now\b|FieldFaults?\b|FaultText\b|\bfieldFaults\b|\binEnglish\b/,
  'notify, distinguish, say': /\btells?[A-Z]|[a-z]Tell\b|(?<!can.t )\btells?\b/,
  'reject, rejection, error':
    /[a-z]Refus|\brefus(e|ed|al|als)[A-Z]|REFUSAL|^\s*(\*|\/\/|\/\*\*).*\b[rR]efus(e|es|ing|al|als|ed\b(?!:))\b/,
  'issue, error, discrepancy': /\b[fF]ault(s|y)?\b|[a-z]Faults?\b/,
  'expedite, started': /\b[hH]urr(y|ied)\b|'begun'/,
  'notified, sent, reported, shown': /\b[tT]old\b|[a-z]Told|\btold[A-Z]|\bTOLD/,
  'no one, none, unknown, without': /\bNOBODYS?\b|[a-z]Nobody|(const|let) nobody\b|\b[nN]obody['’]?s\b|\bof nobody\b/,
  'outcome, status': /\bbecame of\b/,
  'later, not ours': /\bby and by\b|\bnone of (ours|theirs)\b/,
  'untrusted notification': /\b[hH]ints?\b(?<!keep-alive hint)/,
  'request context, HTTP result, provider call': /\bExchange\b(?!,)|\b[eE]xchange[A-Z]/,
  authenticateRequest: /\b[aA]dmit(s|ted|ting)?\b|\badmission\b/,
  'getCached, isKnownKey': /\b[rR]ecall(s|ed)?\b|\b[fF]amiliar\b/,
  'is active, display key': /\bworks\(|\bconst works\b|\bshownKey\b|\bshown key\b/,
  'isZeroAddress, toTransactionJson, toListItemJson': /\bisNobody\b|\bpresent(Whole|Listed)\b/,
  'provider credentials':
    /\bCONTRACT\b|\b[cC]ontracts? (of|with) (a|the|their|its|your) (merchant|PSP|provider)|whose contract/,
};

/**
 * Terms of the field where they are used (a drill injects faults, a badge of a page has a hint),
 * and texts for users, who need not know the code's words.
 */
const ALLOWED: Record<string, RegExp> = {
  'issue, error, discrepancy': /^(drill\/|docs\/reliability\.md|CONTRIBUTING\.md)/,
  'untrusted notification': /^((e2e|src\/(messages|panel))\/|SECURITY\.md|docs\/adr\/0019)/,
  'provider unavailable': /^src\/messages\//,
  'provider credentials': /^src\/messages\//,
  'notify, distinguish, say': /^src\/messages\//,
};

/** Also files that are not committed yet. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter(
    (name) =>
      /\.(ts|tsx|mjs|json|css|py|sh|go|md|prisma|ya?ml|example|ini|cfg|conf|service)$|file$|^\.ci\//.test(name) &&
      !EXCEPT.test(name),
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

test.each([
  ['price aggregator, token endpoint, currency cache', 'const desk = rails.quotesFor(mode);', 'a desktop'],
  ['provider unavailable', '// Asked again while the PSP is silent.', "LOG_LEVEL: 'silent'"],
  ['sandbox command, sandbox options', '// Of the sandbox’s world.', '// The outside world, simulated.'],
  ['sync, poll, check health', '// A payout is looked at again later.', '// Look at the log.'],
  ['cache, invalidate', '// The others forget the key.', '/** The page for a forgotten password. */'],
  ['notify, distinguish, say', 'const tell = (member) => {};', '// A procedure can’t tell which handler called it.'],
  ['no one, none, unknown, without', '// Null where the key is nobody’s.', '// Nobody waits for a backup.'],
  ['outcome, status', '// What became of the payout.', '// The notice became late.'],
  ['later, not ours', '// A payout that is none of ours.', '// None of them is ours.'],
  ['untrusted notification', '// A callback is a hint only.', '// The keep-alive hint of a PSP.'],
  ['request context, HTTP result, provider call', 'type Exchange = {', '// Open Financial Exchange, section 3'],
  ['authenticateRequest', 'const admitted = admit(req);', '// The administrator of a merchant.'],
  ['is active, display key', 'keys.filter(works(now))', '// A key works until it expires.'],
  ['provider credentials', '// The contract of a merchant with a PSP.', '// A status of the REST contract.'],
])('planted: the rule of "%s" finds %j, and not %j', (term, found, passed) => {
  expect([REPLACED[term]?.test(found), REPLACED[term]?.test(passed)]).toEqual([true, false]);
});
