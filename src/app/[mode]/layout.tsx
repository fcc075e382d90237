import '@mantine/core/styles.css';
import { notFound } from 'next/navigation';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { readFirst, serviceOrigin } from '#panel/page-data/first-reads.tsx';
import { PanelFrame } from '#panel/shell/panel-frame.tsx';

type Props = { children: ReactNode; params: Promise<{ mode: string }> };

export default async function PanelLayout({ children, params }: Props) {
  const { mode } = await params;
  if (mode !== 'live' && mode !== 'test') notFound();
  const { panel, errors, pay, auth, connection, error } = await getMessages();
  return (
    <NextIntlClientProvider messages={{ panel, errors, pay, auth, connection, error }}>
      <PanelFrame
        mode={mode}
        origin={serviceOrigin()}
        data={await readFirst([{ query: 'session.me' }, { query: 'firstSteps.get' }])}
      >
        {children}
      </PanelFrame>
    </NextIntlClientProvider>
  );
}
