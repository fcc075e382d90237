/** Strings and structure of a JSON text; numbers, literals and blanks say nothing about keys. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * The first key that occurs twice in one object of a text that JSON.parse has accepted; null when
 * there is none. JSON.parse silently takes the last of the two, another program on the way may take
 * the first, and an amount must not depend on who reads it (RFC 8259 section 4 leaves it open).
 * Keys are compared as they are meant: `"a"` and `"\u0061"` are the same. One pass, no recursion:
 * neither a long nor a deep body costs more than its length.
 */
export function findDuplicateKey(json: string): string | null {
  // The keys seen in each object that is open; null for an array.
  const scopes: (Set<string> | null)[] = [];
  let before = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') scopes.push(new Set());
    else if (token === '[') scopes.push(null);
    else if (token === '}' || token === ']') scopes.pop();
    else if (token.startsWith('"') && before !== ':') {
      const keys = scopes.at(-1);
      const key = keys ? (JSON.parse(token) as string) : '';
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
    before = token;
  }
  return null;
}
