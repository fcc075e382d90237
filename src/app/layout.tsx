import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '#panel/base.css';
import '#panel/touch.css';
import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import { NextIntlClientProvider } from 'next-intl';
import { getLocale, getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { BUILD_HEADER } from '#contract/build-header.ts';
import { ColorScheme, PageTheme } from '#panel/page-theme.tsx';
import { typeface } from '#panel/typeface/typeface.ts';

export const metadata: Metadata = { title: 'Trilho', robots: { index: false, follow: false } };

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f5f4f1' },
    { media: '(prefers-color-scheme: dark)', color: '#0f1012' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Texts that any page may need. There are many others: the layouts of the pages that need them
  // provide them.
  const { connection, error } = await getMessages();
  const asked = await headers();
  const nonce = asked.get('x-nonce') ?? undefined;
  return (
    // The colour scheme's script corrects the attribute before React hydrates the page.
    <html
      lang={await getLocale()}
      className={typeface.variable}
      data-mantine-color-scheme="light"
      // The page compares it with the build of each answer: see outdated.ts.
      data-build={asked.get(BUILD_HEADER)}
      // The page learns by it how wrong the device's clock is: see service-clock.ts.
      data-served-at={Date.now()}
      suppressHydrationWarning
    >
      <head>
        <ColorScheme nonce={nonce} />
      </head>
      <body>
        <NextIntlClientProvider messages={{ connection, error }}>
          <PageTheme>{children}</PageTheme>
        </NextIntlClientProvider>
      </body>
    </html>
  );
}
