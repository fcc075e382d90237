/**
 * What kind of API key a text looks like, by the form of `domain/api-key-format.ts`, which needs
 * Node to check the rest. The page sends what is a test key only; whatever else speaks of `live` is
 * called a live key, mistyped or incomplete as it may be.
 */
export function keyKind(text: string): 'empty' | 'test' | 'live' | 'other' {
  const key = text.trim();
  if (key === '') return 'empty';
  if (/^[a-z]+_test_[0-9A-Za-z]{36}$/.test(key)) return 'test';
  return /live/i.test(key) ? 'live' : 'other';
}
