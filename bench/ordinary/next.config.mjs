/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  // `npm test` checks the types of the whole repository.
  typescript: { ignoreBuildErrors: true, tsconfigPath: '../../tsconfig.json' },
  serverExternalPackages: ['@prisma/client', '@prisma/adapter-pg', 'pg', 'undici'],
};
