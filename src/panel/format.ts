import type { Language } from '#domain/values/language.ts';
import { numberFormatter, timeFormatter } from './formatters.ts';

/** The merchant's day, and the only zone in which the pages show a time. */
export const timeZone = 'America/Sao_Paulo';

const NO_BREAK_SPACE = '\u00a0';

/** BRL for reading, `R$ 1.234,56`: two decimals always, and a no-break space so that the sign never stands alone. */
export function formatReais(amount: number, language: Language): string {
  const digits = numberFormatter(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `R$${NO_BREAK_SPACE}${digits.format(amount)}`;
}

/** The same to the second: `20/11/2026 14:05:09`. */
export function formatInstantExactly(instant: string, language: Language): string {
  const seconds = timeFormatter('pt-BR', { timeZone, second: '2-digit' }).format(new Date(instant));
  return `${formatInstant(instant, language)}:${seconds.padStart(2, '0')}`;
}

/** A moment in Brasília's time: `20/11/2026 14:05`, in English `20 Nov 2026, 14:05` (no reader mistakes day for month). */
export function formatInstant(instant: string, language: Language): string {
  const [locale, month] = language === 'en' ? (['en-GB', 'short'] as const) : (['pt-BR', '2-digit'] as const);
  const day = timeFormatter(locale, { timeZone, day: '2-digit', month, year: 'numeric' });
  const time = timeFormatter(locale, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const at = new Date(instant);
  return [day.format(at), time.format(at)].join(language === 'en' ? ', ' : ' ');
}
