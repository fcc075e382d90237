import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './src/testing/longest-first.ts';

export default defineConfig({
  test: {
    // Importing the service takes longer than most files' tests: a worker imports it once, not once
    // a file. No test replaces a module, and what one opens it closes. A project that does
    // not extend this configuration does not inherit it.
    isolate: false,
    // What is polled is there within moments. A second, Vitest's own limit, is not enough for a
    // busy machine.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Node reads TypeScript by itself; Vite's transformation cost an eighth of the run. What is
          // tested here is in no file with JSX.
          experimental: { viteModuleRunner: false },
          include: [
            'src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'attack/**/*.test.ts',
            'bench/**/*.test.ts',
            'drill/*.test.ts',
            'fuzz/*.test.ts',
            'packages/*/{src,scripts}/**/*.test.ts',
          ],
          exclude: ['**/*.db.test.ts'],
          // The rails' tests and those of the embedded PostgreSQL wait: two files of three keep the
          // cores busy.
          maxWorkers: Math.max(3, availableParallelism() - 1),
          // Some try ten thousands of texts. Against a test that hangs, as below.
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          // As above; here it cost a tenth of the run.
          experimental: { viteModuleRunner: false },
          include: [
            'src/**/*.db.test.ts',
            'attack/*.db.test.ts',
            'bench/**/*.db.test.ts',
            'drill/*.db.test.ts',
            'fuzz/*.db.test.ts',
          ],
          globalSetup: ['src/db/testing/global-setup.ts'],
          setupFiles: ['src/testing/cheap-passwords.ts'],
          // They wait for PostgreSQL and for processes of their own. With four files at once a sixth
          // of the processors' time is idle once nothing else runs beside them.
          maxWorkers: Math.max(6, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
          // Against a test that hangs: on a machine that is busy with other things one takes ten
          // times as long.
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'python',
          // Needs a Python: only the step `python` of `npm test` runs it.
          include: ['packages/trilho-python/checks/python-library.check.ts'],
          globalSetup: ['src/db/testing/global-setup.ts'],
          // Node reads TypeScript by itself.
          experimental: { viteModuleRunner: false },
          setupFiles: ['src/testing/cheap-passwords.ts'],
          testTimeout: 300_000,
          // Brings the Python packages, where they are not there yet.
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'pix-api',
          // Reads a file that is not in the repository: only `npm run check:pix-api` runs it.
          include: ['src/testing/pix-api/*.check.ts'],
          globalSetup: ['src/db/testing/global-setup.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          // Needs Go and Python, and brings packages of both: only `npm run check:clients` runs it.
          include: ['src/testing/generated-clients/*.check.ts'],
          globalSetup: ['src/db/testing/global-setup.ts'],
          sequence: { groupOrder: 2 },
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
