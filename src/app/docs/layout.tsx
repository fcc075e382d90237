import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';

/** Provides the texts of these pages; no other page has to load them. */
export default async function Layout({ children }: { children: ReactNode }) {
  const { docs, connection, error } = await getMessages();
  return <NextIntlClientProvider messages={{ docs, connection, error }}>{children}</NextIntlClientProvider>;
}
