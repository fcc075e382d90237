/**
 * Returns the params of a text that names a range of amounts in reais; null for a range without
 * ends. The text chooses by `bounds`; an end that is missing is empty.
 */
export function rangeParams(
  minimum: number | null,
  maximum: number | null,
  textOf: (reais: number) => string,
): { bounds: 'both' | 'minimum' | 'maximum'; minimum: string; maximum: string } | null {
  if (minimum === null && maximum === null) return null;
  return {
    bounds: maximum === null ? 'minimum' : minimum === null ? 'maximum' : 'both',
    minimum: minimum === null ? '' : textOf(minimum),
    maximum: maximum === null ? '' : textOf(maximum),
  };
}
