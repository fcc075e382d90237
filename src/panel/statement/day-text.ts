import type { Language } from '#domain/values/language.ts';
import { timeFormatter } from '#panel/formatters.ts';

/** A day has no zone: noon in UTC is inside it. */
const noon = (day: string): Date => new Date(`${day}T12:00:00Z`);

const formatOf = (language: Language, further: Intl.DateTimeFormatOptions = {}) => {
  const [locale, month] = language === 'en' ? (['en-GB', 'short'] as const) : (['pt-BR', '2-digit'] as const);
  return timeFormatter(locale, { timeZone: 'UTC', day: '2-digit', month, year: 'numeric', ...further });
};

/** `20/11/2026`, in English `20 Nov 2026`. */
export const dayText = (day: string, language: Language): string => formatOf(language).format(noon(day));

/** `sexta-feira, 20/11/2026`. */
export const dayName = (day: string, language: Language): string =>
  formatOf(language, { weekday: 'long' }).format(noon(day));
