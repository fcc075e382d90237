/** An answer as it was on the wire. */
export type RawAnswer = { status: number; headers: Headers; text: string };

export async function ask(url: string, init: RequestInit = {}): Promise<RawAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/**
 * Returns the first of the texts that the answer has and the request did not; null: there is none.
 */
export function leakIn(answer: RawAnswer, canaries: readonly string[], request: string): string | null {
  const received = answer.text + [...answer.headers.values()].join('\n');
  return canaries.find((canary) => received.includes(canary) && !request.includes(canary)) ?? null;
}

/**
 * An answer's status and text, without what differs between any two requests: ids that were sent,
 * instants, the request's own id.
 */
export function comparable({ status, text }: RawAnswer): string {
  return `${status} ${text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'INSTANT')}`;
}
