import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pickTexts } from './pick-texts.ts';
import { FRAME_SECTIONS } from './sections.ts';

/** The frame of the panel, with its texts. */
export async function FrameTexts({ children }: { children: ReactNode }) {
  const messages = pickTexts(await getMessages(), FRAME_SECTIONS);
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}
