import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { TextSection } from '#panel/texts/sections.ts';

/** For `generateMetadata`: returns the title of the tab, from a text. */
export const pageTitle =
  (section: TextSection, key = 'title') =>
  async (): Promise<Metadata> => {
    const t = await getTranslations(section);
    return { title: `${t(key as never)} · Trilho` };
  };
