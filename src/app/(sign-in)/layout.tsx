import '#panel/library-styles.ts';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConnectionNotice } from '#panel/connection/connection-notice.tsx';

export default async function SignInLayout({ children }: { children: ReactNode }) {
  const { auth, connection, issues } = await getMessages();
  return (
    <NextIntlClientProvider messages={{ auth, connection, issues }}>
      {children}
      <ConnectionNotice />
    </NextIntlClientProvider>
  );
}
