import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');
/** What is loaded with a module: not types, and not what is imported once it is needed. */
const STATIC_IMPORT = /^(?:import|export)\s(?!type\b)(?:[^;']*?from\s)?'([^']+)'/gm;

/** Returns the files that a start loads with `file`, and the packages, by their names. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
    const path = specifier.startsWith('.')
      ? join(dirname(file), specifier)
      : specifier.startsWith('#')
        ? join(SRC, specifier.slice(1))
        : null;
    const name = path ? relative(SRC, path) : specifier;
    if (loaded.has(name)) continue;
    loaded.add(name);
    if (path && existsSync(path)) loadedWith(path, loaded);
  }
  return loaded;
}

const loadedByRoles = [...loadedWith(join(SRC, 'role-process.ts'))];
const found = (part: string) => loadedByRoles.filter((name) => name.startsWith(part));

test.each([
  'server/procedures/',
  'server/operator/operator-handler',
  'server/mcp/mcp-handler',
  'jobs/task-handlers',
  'jobs/worker',
  'demo/',
  'better-auth',
  'next',
  'nodemailer',
  '@modelcontextprotocol/',
])('a process of one role starts without what only another role needs: %s', (part) => {
  expect(found(part)).toEqual([]);
});

test('planted: what a process of one role loads is found', () => {
  expect(found('bootstrap/service.ts')).toHaveLength(1);
  expect(found('server/http/dispatch.ts')).toHaveLength(1);
  expect(found('undici')).toEqual(['undici']);
});
