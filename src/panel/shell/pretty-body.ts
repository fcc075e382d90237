/**
 * A kept body for reading: JSON with its lines, or as much of it as was kept. `cut`: it is not
 * whole.
 */
export function prettyBody(body: string): { text: string; cut: boolean } {
  try {
    return { text: JSON.stringify(JSON.parse(body), null, 2), cut: false };
  } catch {
    return { text: body, cut: true };
  }
}
