import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subject } from '../subject.ts';

const ROOT = join(import.meta.dirname, '../..');

type Report = {
  suites: {
    specs: {
      title: string;
      tests: {
        status: string;
        annotations: { type: string; description?: string }[];
        results: { error?: { message?: string } }[];
      }[];
    }[];
  }[];
};

/**
 * Stored texts in a real browser: runs the browser flows' own test of them, with every payload in
 * every field.
 */
export const xss: Subject = {
  name: 'XSS',
  async run(arena) {
    const folder = mkdtempSync(join(tmpdir(), 'trilho-attack-'));
    arena.closing.push(() => rmSync(folder, { recursive: true, force: true }));
    const report = join(folder, 'report.json');
    const tally = arena.attack('stored texts on every page');
    await runBrowser(report);
    const { suites } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    for (const { title, tests } of suites.flatMap(({ specs }) => specs)) {
      for (const { status, annotations, results } of tests) {
        const pages = Number(annotations.find(({ type }) => type === 'tried')?.description ?? 1);
        const failure = status === 'expected' ? null : (results[0]?.error?.message ?? status);
        for (let page = 1; page < pages; page++) tally(title, null);
        tally(title, failure);
      }
    }
  },
};

function runBrowser(report: string): Promise<void> {
  const args = ['test', 'e2e/panel/hostile-texts.spec.ts', '--project', 'desktop', '--workers', '1'];
  const child = spawn(process.execPath, [join(ROOT, 'node_modules/@playwright/test/cli.js'), ...args], {
    cwd: ROOT,
    env: { ...process.env, TRILHO_ATTACK: 'long', TRILHO_E2E_REPORT: report },
    stdio: 'ignore',
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // Its report has the failures.
    child.on('exit', () => resolve());
  });
}
