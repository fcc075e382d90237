/**
 * Returns a text with its params in place of their names (`{minimum}`); a name without a param
 * stays. In one pass, so that the params themselves are not searched.
 */
export const fillIn = (text: string, params: Record<string, unknown>): string =>
  text.replace(/\{(\w+)\}/g, (name, key: string) => String(params[key] ?? name));
