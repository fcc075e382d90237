const underway = new Set<Promise<unknown>>();
let ended = 0;

/**
 * Marks a call to the sign-in that replaces the session where it succeeds (an authenticator app is
 * set up or taken away, a new password), so that `sentInSession` knows why a read was rejected.
 */
export function replacingSession<T>(call: Promise<T>): Promise<T> {
  const marked: Promise<T> = call.finally(() => {
    underway.delete(marked);
    ended++;
  });
  underway.add(marked);
  return marked;
}

/**
 * Wraps a `fetch` so that a read is sent once more when it was rejected with 401 and its session
 * may have been replaced meanwhile: it was sent with the cookie of the one before, and without this
 * the page would leave for the sign-in although its member is signed in.
 */
export const sentInSession =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const endedBefore = ended;
    const answer = await fetch(input, init);
    if (answer.status !== 401 || (init?.method ?? 'GET') !== 'GET') return answer;
    await Promise.allSettled(underway);
    return ended === endedBefore ? answer : fetch(input, init);
  };
