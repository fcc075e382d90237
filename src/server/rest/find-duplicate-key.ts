/** Strings and structure of a JSON text; numbers, literals and blanks say nothing about keys. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * The first key that occurs twice in one object of a text that JSON.parse has accepted, with the
 * path to it (`metadata.loja`); null when there is none. JSON.parse silently takes the last of the
 * two, another program on the way may take the first, and an amount must not depend on who reads it
 * (RFC 8259 section 4 leaves it open). Keys are compared as they are meant: `"a"` and `"\u0061"`
 * are the same. One pass, no recursion: neither a long nor a deep body costs more than its length.
 */
export function findDuplicateKey(json: string): string | null {
  // Of each object and array that is open: the keys seen (null: an array), and the key or the index
  // that is read.
  const scopes: { keys: Set<string> | null; at: string | number }[] = [];
  let before = '';
  for (const [token] of json.matchAll(TOKEN)) {
    const scope = scopes.at(-1);
    if (token === '{') scopes.push({ keys: new Set(), at: '' });
    else if (token === '[') scopes.push({ keys: null, at: 0 });
    else if (token === '}' || token === ']') scopes.pop();
    else if (token === ',' && typeof scope?.at === 'number') scope.at += 1;
    else if (token.startsWith('"') && before !== ':' && scope?.keys) {
      scope.at = JSON.parse(token) as string;
      if (scope.keys.has(scope.at)) return scopes.map(({ at }) => at).join('.');
      scope.keys.add(scope.at);
    }
    before = token;
  }
  return null;
}
