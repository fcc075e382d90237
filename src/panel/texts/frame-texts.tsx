import { NextIntlClientProvider } from 'next-intl';
import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AddedTexts } from './added-texts.tsx';
import { pickTexts } from './pick-texts.ts';
import { FRAME_SECTIONS, PAGE_SECTIONS, type PageName } from './sections.ts';

/** The frame of the panel, with its texts. */
export async function FrameTexts({ children }: { children: ReactNode }) {
  const messages = pickTexts(await getMessages(), FRAME_SECTIONS);
  return <NextIntlClientProvider messages={messages}>{children}</NextIntlClientProvider>;
}

/** A page inside the frame, with its texts beside the frame's. */
export async function PageTexts({ page, children }: { page: PageName; children: ReactNode }) {
  return <AddedTexts texts={pickTexts(await getMessages(), PAGE_SECTIONS[page])}>{children}</AddedTexts>;
}
