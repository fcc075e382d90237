import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';

/** Provides the texts of these pages; no other page has to load them. */
export default async function Layout({ children }: { children: ReactNode }) {
  const { pay, formats, connection, error } = await getMessages();
  return <NextIntlClientProvider messages={{ pay, formats, connection, error }}>{children}</NextIntlClientProvider>;
}
