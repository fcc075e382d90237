/** A longer text is no misspelling of any name. */
const NAME_LENGTH_MAX = 64;
/** Every third character may be another one: `ammount`, `custumerEmial`. */
const CHARACTERS_PER_MISTAKE = 3;
/** A shorter part occurs in many names. */
const PART_LENGTH_MIN = 4;

/**
 * Returns the name that was probably meant by a text that is none of them: the same letters in
 * another spelling (`callback_url`, `callbackURL`), else the one with the fewest mistakes, else the
 * only one that begins or ends with it (`email`: `customerEmail`). `null`: none, or two are equally
 * close.
 */
export function closestName(text: string, names: readonly string[]): string | null {
  const meant = spell(text);
  if (meant === '' || text.length > NAME_LENGTH_MAX) return null;
  const mistakesMax = Math.floor(meant.length / CHARACTERS_PER_MISTAKE);
  const near = names
    .map((name) => ({ name, mistakes: countMistakes(meant, spell(name)) }))
    .filter(({ mistakes }) => mistakes <= mistakesMax)
    .sort((a, b) => a.mistakes - b.mistakes);
  const [first, second] = near;
  if (first) return first.mistakes === second?.mistakes ? null : first.name;
  if (meant.length < PART_LENGTH_MIN) return null;
  const [whole, another] = names.filter((name) => spell(name).startsWith(meant) || spell(name).endsWith(meant));
  return another === undefined ? (whole ?? null) : null;
}

/** Returns a name in lower case, without what joins its words. */
const spell = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/**
 * How many characters have to be added, left out, replaced or swapped with their neighbour to make
 * one text of the other (optimal string alignment).
 */
function countMistakes(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped && row > 1 && column > 1 ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
