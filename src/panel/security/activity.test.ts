import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import en from '#messages/en.json' with { type: 'json' };
import ptBr from '#messages/pt-BR.json' with { type: 'json' };
import { ACTS } from '#testing/audited-acts.ts';

const SOURCES = ['services', 'server'].map((folder) => join(import.meta.dirname, '../..', folder));

/**
 * Every name under which the sources record an action, `recordAudit(…, 'x.y')`, `memberEntry(…,
 * 'x.y')`, `audit: 'x.y'`, `action: 'x.y'`, or the functions of the database do.
 */
function auditedActions(): string[] {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const named = /(?:(?:[aA]udit|Entry)\((?:[^;']|'[^.']*')*?|\baudit: |\baction: )'([a-z_]+\.[a-z_]+)'/g;
  const written = files.flatMap((text) => [...text.matchAll(named)].map(([, action = '']) => action));
  return [...new Set([...written, ...Object.values(ACTS).flat()])].sort();
}

test('every action of the audit log has a name on the security page or the operator’s, in both languages', () => {
  const actions = auditedActions();
  for (const known of ['withdrawal.requested', 'webhook_endpoint.set', 'session.ended', 'password.reset'])
    expect(actions).toContain(known);
  for (const { panel, operator } of [ptBr, en]) {
    const named = new Set(Object.keys(panel.security.actions));
    // An action on the installation belongs to no merchant: it is on no merchant's page, and has
    // its name on the operator's.
    const ofInstallation = new Set(Object.keys(operator.audit.actions));
    const ofMerchants = actions.filter((action) => !ofInstallation.has(action.replaceAll('.', '_')));
    expect(ofMerchants.filter((action) => !named.has(action.replaceAll('.', '_')))).toEqual([]);
  }
});
