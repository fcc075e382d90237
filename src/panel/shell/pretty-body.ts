/**
 * Returns a stored body for reading: indented JSON or, where it was cut, the text that was kept.
 * `cut`: the body is not whole.
 */
export function prettyBody(body: string): { text: string; cut: boolean } {
  try {
    return { text: JSON.stringify(JSON.parse(body), null, 2), cut: false };
  } catch {
    return { text: body, cut: true };
  }
}
