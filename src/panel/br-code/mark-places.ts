type Place = { at: number; length: number };

/** A piece of the text; `issues` are the numbers, from 1, of the issues that lie on it. */
export type Piece = { at: number; text: string; issues: number[] };

/**
 * Cuts a text where issues begin and end. An issue without length marks the character that follows.
 */
export function markPlaces(text: string, places: readonly Place[]): Piece[] {
  const spans = places.map(({ at, length }) => ({ from: at, to: at + Math.max(length, 1) }));
  const cuts = new Set([0, text.length]);
  for (const { from, to } of spans) for (const cut of [from, to]) if (cut > 0 && cut < text.length) cuts.add(cut);
  const edges = [...cuts].sort((a, b) => a - b);
  return edges.slice(0, -1).map((at, index) => {
    const end = edges[index + 1] ?? text.length;
    const issues = spans.flatMap(({ from, to }, n) => (from < end && to > at ? [n + 1] : []));
    return { at, text: text.slice(at, end), issues };
  });
}
