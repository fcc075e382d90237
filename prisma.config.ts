import { defineConfig } from 'prisma/config';

/**
 * Where Prisma's own command line finds the schema; the service itself reads its database address
 * in src/config/environment.ts.
 */
export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } });
