import '@mantine/core/styles.css';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';

export default async function SignInLayout({ children }: { children: ReactNode }) {
  const { auth } = await getMessages();
  return <NextIntlClientProvider messages={{ auth }}>{children}</NextIntlClientProvider>;
}
