/** A Friday morning in São Paulo. */
const BEGIN = Date.parse('2026-11-20T12:30:00.000Z');

/**
 * The time of the story of the document's examples, from its beginning on, for a service that
 * answers them: by the machine's time, what they ask for is too long ago one day.
 */
export function startStoryClock(): () => Date {
  const aheadMs = BEGIN - Date.now();
  return () => new Date(aheadMs + Date.now());
}
