import '#panel/library-styles.ts';
import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { OPERATOR_SECTIONS } from '#panel/texts/operator-sections.ts';
import { pickTexts } from '#panel/texts/pick-texts.ts';

export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const messages = pickTexts(await getMessages(), OPERATOR_SECTIONS);
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}
