/**
 * The params of a text that says a range of amounts in reais; `null` where it has no end. The text
 * chooses by `bounds`, which ends there are; one that is missing is empty.
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
