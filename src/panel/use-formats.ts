import { useFormatter, useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { createFormats, type Formats } from './create-formats.ts';

/** How this page writes figures and times, in its reader's language. */
export function useFormats(): Formats {
  const formatter = useFormatter();
  const t = useTranslations('formats');
  return useMemo(() => createFormats(formatter, t), [formatter, t]);
}
