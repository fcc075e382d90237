import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PAGE_NEEDS } from '#contract/members/page-needs.ts';
import { ROLES } from '#domain/members/roles.ts';
import { panelRouter } from './panel-router.ts';
import { mayCall, ROLE_ACCESS } from './role-access.ts';

const procedures = Object.keys(panelRouter._def.procedures);
const isFile = (name: string) => name.includes('/');

test('every procedure of the panel stands in the table of roles, and nothing else does', () => {
  const named = Object.keys(ROLE_ACCESS).filter((name) => !isFile(name));
  const where = 'Say in role-access.ts which roles may call a new procedure';
  expect(named.sort(), where).toEqual([...procedures].sort());
});

test('every file of the panel stands in the table of roles', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '../panel', file), 'utf8');
  const exported = [...read('downloads.ts').matchAll(/^ {2}\['([\w.-]+)', open\w+\],$/gm)].map(
    ([, name]) => `export/${name}`,
  );
  const handler = read('file-handler.ts');
  const named = (act: string, map: string) =>
    [
      ...(new RegExp(`const ${map} = new Map<.*?\\]\\);`, 's').exec(handler)?.[0] ?? '').matchAll(/\['([\w.-]+)',/g),
    ].map(([, name]) => `${act}/${name}`);
  const others = [...named('upload', 'kept'), ...named('download', 'sent')];
  expect(exported.length).toBeGreaterThan(2);
  expect(others.length).toBeGreaterThan(1);
  const where = 'Say in role-access.ts which roles may have a new file';
  expect(Object.keys(ROLE_ACCESS).filter(isFile).sort(), where).toEqual([...exported, ...others].sort());
});

test('what does not stand in the table is denied to every role, an owner included', () => {
  for (const role of ROLES) {
    for (const name of ['charges.createAll', 'constructor', '__proto__', 'session.signUp', '']) {
      expect([role, name, mayCall(role, name)]).toEqual([role, name, false]);
    }
  }
});

test('an owner may call everything that needs a session, and no role more than an owner', () => {
  for (const [name, roles] of Object.entries(ROLE_ACCESS))
    if (roles !== 'public') expect([name, roles]).toEqual([name, expect.arrayContaining(['owner'])]);
});

test('only an owner and finance may withdraw and refund', () => {
  const sends = Object.keys(ROLE_ACCESS).filter((name) => /^withdrawals\.|\.refund$/.test(name));
  // One of them takes back what was to be sent.
  expect(sends).toHaveLength(4);
  for (const name of sends) expect(ROLE_ACCESS[name]).toEqual(['owner', 'finance']);
});

test('every page needs a procedure of the table', () => {
  for (const need of Object.values(PAGE_NEEDS)) expect(ROLE_ACCESS[need]).toBeInstanceOf(Array);
});

test('the documentation prints the table of roles', async () => {
  const rows = Object.entries(ROLE_ACCESS).flatMap(([name, roles]) =>
    roles === 'public'
      ? []
      : [`| \`${name}\` | ${ROLES.map((role) => (roles.includes(role) ? 'yes' : '')).join(' | ')} |`],
  );
  const text = [
    '# Who may do what',
    '',
    'Each member of a merchant has one role there. This table is `src/server/procedures/role-access.ts`, printed by its test',
    '(`npx vitest run --project unit src/server/procedures/role-access.test.ts -u` after a change). A name with a point is a',
    'procedure of the panel, one with a slash a file that it gives or takes. What a role may not call does not exist for it: it',
    'gets the answer of a name that there is none of, and pages that need it are not found. API keys have permissions of their',
    'own, which a key’s maker chooses.',
    '',
    `| | ${ROLES.join(' | ')} |`,
    `|---|${ROLES.map(() => ':-:').join('|')}|`,
    ...rows,
    '',
  ].join('\n');
  await expect(text).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/roles.md'));
});
