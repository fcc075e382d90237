import type { useFormatter, useTranslations } from 'next-intl';

/** The merchants' time zone, and the only one in which the pages show a time. */
export const timeZone = 'America/Sao_Paulo';

const NO_BREAK_SPACE = '\u00a0';
const MINUS = '\u2212';
/** The maximum that every browser accepts; quantities have eight digits at most. */
const FRACTION_DIGITS_MAX = 20;

export type Formats = ReturnType<typeof createFormats>;

/**
 * Returns how the pages write figures and times: by next-intl's formatter, which knows the reader's
 * language and Brasília's time, and by the forms of the catalogue (`formats`). Instants are ISO
 * 8601 texts, days `2026-11-20`, amounts reais.
 */
export function createFormats(
  { number }: Pick<ReturnType<typeof useFormatter>, 'number'>,
  t: ReturnType<typeof useTranslations<'formats'>>,
) {
  const decimals = (value: number, minimumFractionDigits = 2, maximumFractionDigits = minimumFractionDigits) =>
    number(value, { minimumFractionDigits, maximumFractionDigits });
  /** `1.234,50000001`: every digit of a decimal text. */
  const quantity = (text: string) =>
    // Given a text, Intl formats the decimal itself and not the double nearest to it.
    number(text as unknown as number, { maximumFractionDigits: FRACTION_DIGITS_MAX });
  const reais = (amount: number) => `${amount < 0 ? MINUS : ''}R$${NO_BREAK_SPACE}${decimals(Math.abs(amount))}`;
  const coins = (text: string, asset: string) => `${quantity(text)}${NO_BREAK_SPACE}${asset}`;
  return {
    number,
    decimals,
    quantity,
    /**
     * `R$ 1.234,56`, `−R$ 1.234,56`: two decimals always, and a no-break space so that the sign is
     * never alone.
     */
    reais,
    /** `1234,56`, as an amount would be typed into a field; `null` is an empty one. */
    typedReais: (amount: number | null) =>
      amount === null ? '' : number(amount, { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false }),
    /** `18,703704 USDT`: quantity and coin are never in different lines. */
    coins,
    /** A decimal text of `BRL`, or of a coin. */
    money: (text: string, asset: string) => (asset === 'BRL' ? reais(Number(text)) : coins(text, asset)),
    /** `20/11/2026 14:05`; English names the month, so that no reader mistakes it for the day. */
    instant: (at: string | Date) => t('instant', { at: new Date(at) }),
    /** The same to the second. */
    instantExactly: (at: string | Date) => t('instantExactly', { at: new Date(at) }),
    /** `14:05` */
    time: (at: string | Date) => t('time', { at: new Date(at) }),
    /** `14:05:09` */
    timeExactly: (at: string | Date) => t('timeExactly', { at: new Date(at) }),
    /** `20/11`, the day of an instant. */
    shortDay: (at: string | Date) => t('shortDay', { at: new Date(at) }),
    /** `sex., 20/11`, the day of an instant. */
    shortDayName: (at: string | Date) => t('shortDayName', { at: new Date(at) }),
    /** `20/11/2026` */
    day: (day: string) => t('day', { at: noon(day) }),
    /** `sexta-feira, 20/11/2026` */
    dayName: (day: string) => t('dayName', { at: noon(day) }),
  };
}

/** Noon of a day in UTC, which is on the same day in Brasília: a day has no zone. */
const noon = (day: string): Date => new Date(`${day}T12:00:00Z`);
