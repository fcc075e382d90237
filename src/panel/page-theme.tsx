'use client';

import { ColorSchemeScript, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { theme } from './theme.ts';

const COLOR_SCHEME = 'auto';

/** Mantine's theme and the reader's colour scheme, for every page. */
export function PageTheme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme={COLOR_SCHEME}>
      {children}
    </MantineProvider>
  );
}

/**
 * Sets the colour scheme before the first paint. An inline script: it needs the response's CSP
 * nonce, which browsers hide from the document afterwards, hence no hydration warning.
 */
export function ColorScheme({ nonce }: { nonce: string | undefined }) {
  return <ColorSchemeScript nonce={nonce} defaultColorScheme={COLOR_SCHEME} suppressHydrationWarning />;
}
