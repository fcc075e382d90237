import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createProgram } from '../cli/program.ts';
import { anchorsOf } from './anchors-of.ts';

/**
 * What documents, and the texts of the product, name of this repository: commands of the command
 * line with their options and arguments, scripts of package.json, files, and headings.
 */
const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const filesOf = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));

const DOCUMENTS = [
  ...filesOf('.', /\.md$/),
  ...['docs', 'docs/adr', 'docs/bench'].flatMap((folder) => filesOf(folder, /\.md$/)),
  ...filesOf('packages', /^trilho-/).map((folder) => join(folder, 'README.md')),
  ...filesOf('.github', /\.md$/),
];
/** They name commands to whoever reads a page, a mail or the output of the service. */
const TEXTS = [
  '.env.example',
  ...filesOf('src/messages', /\.json$/),
  ...filesOf('src/services/mail/texts', /\.json$/),
  'src/panel/docs/sandbox-commands.ts',
  'src/bootstrap/banner.ts',
  'deploy/compose.yaml',
];

/** The words of a command line up to what belongs to the shell around it. */
const wordsOf = (typed: string) => {
  const words: string[] = typed.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  const end = words.findIndex((word) => /^[#|>&;\\…]/.test(word));
  return end === -1 ? words : words.slice(0, end);
};

/** Returns what is wrong with a command line, null where it can be typed like this. */
function issueOf(typed: string, isWhole: boolean): string | null {
  const words = wordsOf(typed);
  let command: Command = program;
  while (command.commands.length > 0) {
    // "operator create|reset" names two of them; the first says what follows.
    const [name, ...others] = (words[0] ?? '').replace(/\W*$/, '').split('|');
    const children: Command[] = [name, ...others].flatMap(
      (one) => command.commands.find((c) => c.name() === one) ?? [],
    );
    if (children.length < others.length + 1) break;
    command = children[0] as Command;
    words.shift();
  }
  if (command === program && words[0] !== '--help') return `no command "${words[0]}"`;
  return optionIssue(command, words) ?? (isWhole ? argumentIssue(command, words) : null);
}

const withoutValue = (word: string) => word.split('=')[0] ?? '';
const optionOf = (command: Command, word: string) => command.options.find(({ long }) => long === withoutValue(word));

function optionIssue(command: Command, words: readonly string[]): string | null {
  // A group's options are those of its commands: "account set … --fee" says which one.
  if (command.commands.length > 0) return null;
  const wrong = words.find((word) => /^--\w/.test(word) && withoutValue(word) !== '--help' && !optionOf(command, word));
  return wrong === undefined ? null : `"${command.name()}" has no option ${wrong}`;
}

/** Only of a line that is there to be pasted: elsewhere arguments are left out. */
function argumentIssue(command: Command, words: readonly string[]): string | null {
  if (words.includes('--help')) return null;
  if (command.commands.length > 0) return `"${command.name()}" is a group of commands`;
  let given = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('--')) given++;
    else if (optionOf(command, word)?.required && !word.includes('=')) at++;
  }
  const { registeredArguments } = command;
  const needed = registeredArguments.filter(({ required }) => required).length;
  if (given >= needed && given <= registeredArguments.length) return null;
  return `"${command.name()}" takes ${registeredArguments.map((one) => one.name()).join(' ') || 'no arguments'}`;
}

/** Every command line in a text, with whether it is there to be pasted. */
function commandLinesIn(text: string): { typed: string; isWhole: boolean }[] {
  const pasted = [...text.matchAll(/(?:trilho --|src\/cli\/main\.ts) ([^`"\\<${\n]*)/g)].flatMap(([, rest = '']) =>
    // A sentence may stop after the group, or say "…" for any command.
    /^[a-z-]/.test(rest) ? [{ typed: rest.replace(/\)$/, ''), isWhole: true }] : [],
  );
  const named = [...text.matchAll(/(?<![\w./-]|from )trilho ([a-z][^`"“”<.,:()\n]*)/g)].map(([, typed = '']) => ({
    typed,
    isWhole: false,
  }));
  return [...pasted, ...named];
}

const program = createProgram();
const commandIssues = (text: string) =>
  commandLinesIn(text).flatMap(({ typed, isWhole }) => {
    const issue = issueOf(typed, isWhole);
    return issue === null ? [] : [`${typed}: ${issue}`];
  });

test('every command that a document or a text of the product names can be typed like this', () => {
  const all = [...DOCUMENTS, ...TEXTS];
  expect(all.flatMap((path) => commandIssues(read(path)).map((issue) => `${path}: ${issue}`))).toEqual([]);
  expect(all.flatMap((path) => commandLinesIn(read(path))).length).toBeGreaterThan(80);
});

/** Options whose time has to be to come: one that is written out is over one day. */
const TO_COME = /--(?:from|answer-by|expires)[ =]\d\S*/g;

test('no command of a document names a time to come, which would be over one day and the command rejected', () => {
  const dated = [...DOCUMENTS, ...TEXTS].flatMap((path) =>
    commandLinesIn(read(path)).flatMap(({ typed }) => (typed.match(TO_COME) ?? []).map((one) => `${path}: ${one}`)),
  );
  expect(dated).toEqual([]);
});

test('planted: a command that there is none of, a wrong option and a missing argument are found', () => {
  const text = [
    'npm run --silent trilho -- kyc aprove E_MAIL',
    'npm run --silent trilho -- account set ID --fees pix_in=1 && echo',
    'npm run --silent trilho -- backup --json # without a file',
    'node src/cli/main.ts ledger check --full',
    'Say `trilho rails off` or `trilho rail off|on`.',
  ].join('\n');
  expect(commandIssues(text)).toEqual([
    'kyc aprove E_MAIL: "kyc" is a group of commands',
    'account set ID --fees pix_in=1 && echo: "set" has no option --fees',
    'backup --json # without a file: "backup" takes file',
    'rails off: no command "rails"',
  ]);
});

test('every script of package.json that a document names is there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = DOCUMENTS.flatMap((path) =>
    [...read(path).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  expect(new Set(named).size).toBeGreaterThan(10);
});

/** Variables that the commands give each other, or that every program reads. */
const NOT_GIVEN = ['PATH', 'ROLE', 'NODE_ENV', 'NODE_COMPILE_CACHE'];
const variablesRead = (text: string) => [...text.matchAll(/\benv\.([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name);

test('every variable that the commands of package.json read is in a document', () => {
  const named = ['.env.example', ...DOCUMENTS].map(read).join('\n');
  const variables = filesOf('scripts', /\.mjs$/).flatMap((path) => variablesRead(read(path)));
  expect(variables.filter((name) => !NOT_GIVEN.includes(name) && !named.includes(name))).toEqual([]);
  expect(variablesRead('process.env.CHROMIUM_PATH, env.NO_DOCUMENT')).toEqual(['CHROMIUM_PATH', 'NO_DOCUMENT']);
});

const foldersIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
/** What a path of this repository begins with, one that leaves out `src` included. */
const FIRST_PARTS = [...foldersIn('.'), ...foldersIn('src')];

/** The paths and links of a document that lead nowhere. */
function deadPathsIn(path: string, text: string): string[] {
  const folder = dirname(path);
  const paths = [
    ...text.matchAll(/(?<![\w./@:-])(?:[\w.@-]+\/)+[\w.@-]*\w\.(?:tsx?|mjs|py|md|json|ya?ml|css|prisma|sh)\b/g),
  ]
    .map(([name]) => name)
    .filter((name) => FIRST_PARTS.includes(name.split('/')[0] ?? ''));
  const dead = paths.filter((name) => !existsSync(join(ROOT, name)) && !existsSync(join(ROOT, folder, name)));
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g)].flatMap(
    ([link, name = '', anchor]) => {
      const target = name === '' ? path : join(folder, name);
      if (!existsSync(join(ROOT, target))) return [link];
      return anchor === undefined || anchorsOf(name === '' ? text : read(target)).includes(anchor) ? [] : [link];
    },
  );
  return [...dead, ...links];
}

test('every file and heading that a document names is there', () => {
  expect(DOCUMENTS.flatMap((path) => deadPathsIn(path, read(path)).map((dead) => `${path}: ${dead}`))).toEqual([]);
});

test('planted: a file and a heading that a document names wrongly are found', () => {
  const text =
    '# A\nSee `src/mian.ts`, `npm test -- src/min.ts`, `src/main.ts`, [this](#b), [that](#a), [backup](backup.md#x), [more](more.md).';
  expect(deadPathsIn('docs/scale.md', text)).toEqual([
    'src/mian.ts',
    'src/min.ts',
    '](#b)',
    '](backup.md#x)',
    '](more.md)',
  ]);
});

/** Names of PostgreSQL's, of libraries and generators, and of what a reader makes. */
const NAMES_OF_OTHERS = [
  ...['pg_ctl', 'pg_dump', 'pg_receivewal', 'archive_command', 'archive_timeout', 'wait_event', 'query_start'],
  ...['xact_start', 'backend_xid', 'trilho_backup', 'useOffline', 'databaseHooks', 'get_data'],
  'CreatePixCharge200JSONResponseBodyDataStatus',
];
/** A name that is no ordinary word: it has an underscore or a capital inside. */
const NAME = /\b[A-Za-z]\w*(?:_[A-Za-z0-9]|[a-z][A-Z])\w*\b/g;
const namesIn = (text: string) =>
  [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) =>
    // `withdrawal_threshold_*` and `PIX_…` name several; a path is looked for as a file.
    [...code.replace(/\w+_(?=[*…])/g, '').matchAll(NAME)].map(([name]) => name),
  );

/** Everything that names are defined in, and no document: a document would vouch for itself. */
const codeOfAll = () =>
  ['src', 'packages', 'prisma', 'scripts', 'deploy', 'e2e', 'drill', 'attack', 'bench', 'fuzz', 'docs', 'public']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => /\.(tsx?|mjs|json|py|sql|prisma|ya?ml|ini|conf|css|service)$/.test(name))
    .filter((name) => !/node_modules|\bdist\b|generated|documents\.test\.ts$/.test(name))
    .map(read);

test('every name of the code that a document sets in code is in the code', () => {
  const known = new Set(codeOfAll().flatMap((text) => text.match(/\w+/g) ?? []));
  for (const text of ['.github/workflows/test.yml', 'package.json', 'vitest.config.ts'].map(read))
    for (const word of text.match(/\w+/g) ?? []) known.add(word);
  const unknown = DOCUMENTS.flatMap((path) =>
    namesIn(read(path))
      // `trilho sandbox credentials` makes variables of its answer's members.
      .filter((name) => !known.has(name) && !known.has(name.toLowerCase()) && !NAMES_OF_OTHERS.includes(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('planted: names are found in code, and ordinary words and what several names begin with are not', () => {
  expect(namesIn('`OutcomeUnknown.idempotency_key`, `PIX_…` and `ledger_*` of `npm start`, not amount_fees')).toEqual([
    'OutcomeUnknown',
    'idempotency_key',
  ]);
});
