import { inject } from 'vitest';
import { copyTemplate, type TestDatabase } from './test-server.ts';

export type { TestDatabase } from './test-server.ts';

/** A new database with all migrations and no rows. `drop` closes open connections. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  copyTemplate({
    url: inject('testServerUrl'),
    serviceUrl: inject('testServiceUrl'),
    template: inject('testTemplate'),
  });
