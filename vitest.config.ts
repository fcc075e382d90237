import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One fewer than the cores, as it would be, but never one alone: most tests wait for a database or for a process to end.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: { name: 'unit', include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'], exclude: ['src/**/*.db.test.ts'] },
      },
      {
        test: {
          name: 'integration',
          include: ['src/**/*.db.test.ts'],
          globalSetup: ['src/db/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
