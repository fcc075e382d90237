import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { operatorRouter } from '#server/procedures/operator/operator-router.ts';
import { panelRouter } from '#server/procedures/panel-router.ts';
import { restRouter } from '#server/procedures/rest-router.ts';
import { signInRules } from '#services/sign-in/sign-in-rules.ts';
import { createProgram } from '../cli/program.ts';
import { ACTS, NOT_NOTED, TRIED_ELSEWHERE } from './audited-acts.ts';

const SRC = join(import.meta.dirname, '..');
const PRISMA = join(SRC, '../prisma/migrations');

type Procedures = Record<string, { _def: { type: string } }>;

/** The mutations of a router by name; REST and the panel share procedures. */
const mutationsOf = (router: { _def: { procedures: unknown } }, prefix = ''): string[] =>
  Object.entries(router._def.procedures as Procedures)
    .filter(([, { _def }]) => _def.type === 'mutation')
    .map(([name]) => `${prefix}${name}`);

const leavesOf = (command: Command, path: string[] = ['trilho']): string[] =>
  command.commands.length === 0
    ? [path.join(' ')]
    : command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));

/** Every act of members, keys, operators and commands. */
function everyAct(): string[] {
  const acts = [
    ...mutationsOf(panelRouter),
    ...mutationsOf(restRouter),
    ...mutationsOf(operatorRouter, 'operator '),
    ...[...signInRules({} as never, {} as never).keys()].map((path) => `sign-in ${path}`),
    ...leavesOf(createProgram()),
  ];
  return [...new Set(acts)].sort();
}

/** `missing`: acts that no list has; `stale`: entries of the lists that are no act. */
function unlisted(acts: readonly string[], lists: Record<string, unknown>): { missing: string[]; stale: string[] } {
  return {
    missing: acts.filter((act) => !(act in lists)),
    stale: Object.keys(lists).filter((act) => !acts.includes(act)),
  };
}

const readAll = (folder: string, ends: RegExp): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ends.test(name) && !/\.test\.ts$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

const NOT_NOTED_BY_ACT = Object.fromEntries(
  Object.entries(NOT_NOTED).flatMap(([why, acts]) => acts.map((act) => [act, why])),
);

test('every act of members, keys, operators and commands is listed with its actions in the audit, or with the reason why it has none', () => {
  const where = 'Add a new act to src/testing/audited-acts.ts';
  expect(unlisted(everyAct(), { ...ACTS, ...NOT_NOTED_BY_ACT }), where).toEqual({ missing: [], stale: [] });
  // Planted: a procedure and a command that nobody has decided about, and one that is gone.
  const planted = [...everyAct().slice(1), 'keys.givenAway', 'trilho money print'];
  expect(unlisted(planted, { ...ACTS, ...NOT_NOTED_BY_ACT })).toEqual({
    missing: ['keys.givenAway', 'trilho money print'],
    stale: [everyAct()[0]],
  });
});

test('no act is listed both as noted and as not noted', () => {
  expect(Object.keys(ACTS).filter((act) => act in NOT_NOTED_BY_ACT)).toEqual([]);
});

test('every action of the list of acts is one that a service or a function of the database writes', () => {
  const sources = ['services', 'db/accounts', 'db/kyc'].map((name) => readAll(join(SRC, name), /\.ts$/)).join('\n');
  const texts = `${sources}\n${readAll(PRISMA, /\.sql$/)}`;
  const isWritten = (action: string) => texts.includes(`'${action}'`) || isMadeOf(action, texts);
  expect(
    Object.values(ACTS)
      .flat()
      .filter((action) => !isWritten(action)),
  ).toEqual([]);
  expect(isWritten('nothing.done')).toBe(false);
});

test('every action is named by a test that it is noted in the commit of its act, or stands in a list with its reason', () => {
  const tests = ['one-commit', 'operators-one-commit'].map((name) =>
    readFileSync(join(SRC, `services/audit/${name}.db.test.ts`), 'utf8'),
  );
  const elsewhere = Object.values(TRIED_ELSEWHERE).flat();
  const actions = [...new Set(Object.values(ACTS).flat())];
  const isTried = (action: string) => tests.some((text) => text.includes(`'${action}'`));
  const untried = actions.filter((action) => !isTried(action) && !elsewhere.includes(action));
  expect(untried, 'Try these in src/services/audit/one-commit.db.test.ts').toEqual([]);
  expect(elsewhere.filter((action) => isTried(action) || !actions.includes(action))).toEqual([]);
  expect(isTried('nothing.done')).toBe(false);
});

/** A threshold's name begins with its kind, and a verification's ends with what was decided. */
const isMadeOf = (action: string, texts: string): boolean =>
  texts.includes(`_${action.slice(action.indexOf('_') + 1)}\``) ||
  (action.startsWith('kyc.') && texts.includes('`kyc.${') && texts.includes(`'${action.slice('kyc.'.length)}'`));
