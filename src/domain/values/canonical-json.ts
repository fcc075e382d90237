/**
 * Returns JSON with the keys of every object in order, so that two spellings of one value have one
 * text. Without recursion: what others send may be nested deeper than the stack.
 */
export function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  // What is still to be written, the next at the end: texts, and values.
  const rest: (string | { value: unknown })[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === 'string') parts.push(next);
    else if (typeof next.value !== 'object' || next.value === null || 'toJSON' in next.value)
      parts.push(JSON.stringify(next.value) ?? 'null');
    else for (const part of partsOf(next.value).reverse()) rest.push(part);
  }
  return parts.join('');
}

function partsOf(value: object): (string | { value: unknown })[] {
  if (Array.isArray(value)) return ['[', ...value.flatMap((item, at) => [at === 0 ? '' : ',', { value: item }]), ']'];
  const sorted = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  // Stored texts of requests have names of digits first, as every object of JavaScript has them.
  const members = Object.entries(Object.fromEntries(sorted));
  return [
    '{',
    ...members.flatMap(([name, member], at) => [`${at === 0 ? '' : ','}${JSON.stringify(name)}:`, { value: member }]),
    '}',
  ];
}
