/**
 * Formatters of numbers and times, each made once for a language and its options: making one takes
 * a hundred times as long as using it, and a list formats hundreds of values.
 */
export const numberFormatter = kept(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
export const timeFormatter = kept(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

function kept<Options extends object, Formatter>(make: (locale: string, options: Options) => Formatter) {
  // As many as there are places in the code, times the languages.
  const made = new Map<string, Formatter>();
  return (locale: string, options: Options): Formatter => {
    const key = locale + JSON.stringify(options);
    const formatter = made.get(key) ?? make(locale, options);
    made.set(key, formatter);
    return formatter;
  };
}
