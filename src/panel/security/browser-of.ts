/**
 * Which browser on which system a user agent names, as far as a member needs it to recognise their
 * own; null: neither.
 */
export function browserOf(userAgent: string | null): { name: string | null; isPhone: boolean } {
  const text = userAgent ?? '';
  const browser = BROWSERS.find(([, pattern]) => pattern.test(text))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0];
  const name = [browser, system].filter(Boolean).join(' · ');
  return { name: name || null, isPhone: /Mobile|Android|iPhone/.test(text) };
}

// In this order: each of the later names is also in the user agents of the ones before.
const BROWSERS: readonly [string, RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser/],
  ['Firefox', /Firefox|FxiOS/],
  ['Chrome', /Chrome|CriOS/],
  ['Safari', /Safari/],
];
const SYSTEMS: readonly [string, RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
];
