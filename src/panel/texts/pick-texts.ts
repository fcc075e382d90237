/** Texts by their keys, in groups; a text is a string, or what the build made of one. */
export type Texts = { [key: string]: unknown };

const isGroup = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the texts below these paths (`panel.keys`), each where it was. */
export function pickTexts(texts: Texts, paths: readonly string[]): Texts {
  return paths.map((path) => pickOne(texts, path.split('.'))).reduce(mergeTexts, {});
}

function pickOne(texts: Texts, [key = '', ...rest]: readonly string[]): Texts {
  const value = texts[key];
  if (rest.length === 0) return { [key]: value };
  return { [key]: isGroup(value) ? pickOne(value, rest) : undefined };
}

/** Merges texts, also inside groups that both have. */
export function mergeTexts(some: Texts, others: Texts): Texts {
  const merged = { ...some };
  for (const [key, value] of Object.entries(others)) {
    const before = merged[key];
    merged[key] = isGroup(before) && isGroup(value) ? mergeTexts(before, value) : value;
  }
  return merged;
}
