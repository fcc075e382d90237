/**
 * A text with its params in place of their names (`{minimum}`). In one pass: typed text is not
 * searched for params again.
 */
export const fillIn = (text: string, params: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (name, key: string) => String(params[key] ?? name));
