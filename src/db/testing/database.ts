import { inject } from 'vitest';
import { copyTemplate, type TestDatabase } from './test-server.ts';

export type { TestDatabase } from './test-server.ts';

/** A database of its own for the caller, with all migrations and no rows. `drop` closes whatever stays connected. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  copyTemplate({
    url: inject('testServerUrl'),
    serviceUrl: inject('testServiceUrl'),
    template: inject('testTemplate'),
  });
