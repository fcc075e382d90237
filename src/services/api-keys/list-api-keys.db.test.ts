import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#db/connection/database.ts';
import { startTestService, type TestService } from '#testing/test-service.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './manage-api-keys.ts';

let trilho: TestService;
beforeAll(async () => {
  trilho = await startTestService();
});
afterAll(() => trilho.stop());

test('a key that is revoked while an account’s keys are read is listed once', async () => {
  const { accountId, apiKey } = await trilho.openAccount();
  const { deps } = trilho;
  const prisma = deps.db.prisma.$extends({
    query: {
      apiKey: {
        async findMany({ args, query }) {
          const found = await query(args);
          await revokeApiKey(deps, apiKey ?? '');
          return found;
        },
      },
    },
  });
  const keys = await listApiKeys({ ...deps, db: { ...deps.db, prisma } as unknown as Database }, accountId);
  expect(keys.map(({ state }) => state)).toEqual(['revoked']);
});
