'use client';

import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import { mergeTexts, type Texts } from './pick-texts.ts';

/** Adds texts to those around it: a provider of next-intl knows its own only. */
export function AddedTexts({ texts, children }: { texts: Texts; children: ReactNode }) {
  const around = useMessages();
  const messages = useMemo(() => mergeTexts(around, texts), [around, texts]);
  return (
    <NextIntlClientProvider locale={useLocale()} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}
