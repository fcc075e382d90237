import createNextIntlPlugin from 'next-intl/plugin';

// Messages are compiled at build time: the payer's phone need not load a parser for them (11 kB of
// JavaScript).
const withMessages = createNextIntlPlugin({
  requestConfig: './src/panel/request-config.ts',
  experimental: { messages: { path: './src/messages', format: 'json', locales: 'infer', precompile: true } },
});

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  typedRoutes: false,
  // Of the same sources by every machine: pages notice a deploy by it, and only by one. Next's own
  // is another one with each build.
  generateBuildId: () => process.env.PAGES_BUILD_ID ?? null,
  // Next's image optimizer decodes pictures on the server; the pages need none of it, so that it
  // stays off.
  images: { unoptimized: true },
  // `npm test` checks the types of the whole repository; a build on the way to `npm start` would
  // only do it again.
  typescript: { ignoreBuildErrors: true },
  // In development Next answers its hot reload to `localhost` only, and a page without it never
  // wakes up.
  allowedDevOrigins: ['127.0.0.1'],
};

export default withMessages(config);
