/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  // The whole repository's are checked by `npm test`.
  typescript: { ignoreBuildErrors: true, tsconfigPath: '../../tsconfig.json' },
  serverExternalPackages: ['@prisma/client', '@prisma/adapter-pg', 'pg', 'undici'],
};
