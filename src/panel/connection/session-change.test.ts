import { expect, test, vi } from 'vitest';
import { replacingSession, sentInSession } from './session-change.ts';

/** A service whose session is replaced: calls that bear the one before are answered 401. */
function newService() {
  let current = 1;
  let cookie = 1;
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const sentWith = cookie;
    await Promise.resolve();
    return new Response(null, { status: sentWith === current ? 200 : 401 });
  });
  return {
    fetch,
    /** The service has the next session, and the browser does not yet. */
    replace: () => void current++,
    /** The response with its cookie arrives. */
    arrive: () => {
      cookie = current;
    },
  };
}

test('a read that was sent with a session that is being replaced is sent once more with the next one', async () => {
  const { fetch, replace, arrive } = newService();
  const call = Promise.withResolvers<string>();
  const change = replacingSession(call.promise);
  replace();
  const read = sentInSession(fetch)('/api/trpc/live/session.me');
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(1));
  arrive();
  call.resolve('replaced');
  expect(await change).toBe('replaced');
  expect((await read).status).toBe(200);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a read whose rejection arrives after its session was replaced is sent once more', async () => {
  const { fetch, replace, arrive } = newService();
  replace();
  const read = sentInSession(fetch)('/api/trpc/live/session.me', { method: 'GET' });
  const change = replacingSession(Promise.resolve());
  arrive();
  await change;
  expect((await read).status).toBe(200);
});

test('a read without a session, a write, and a read after a failed call are answered as they were', async () => {
  const { fetch, replace } = newService();
  replace();
  const send = sentInSession(fetch);
  expect((await send('/api/trpc/live/session.me')).status).toBe(401);
  expect(fetch).toHaveBeenCalledTimes(1);
  const call = Promise.withResolvers<string>();
  const change = replacingSession(call.promise);
  expect((await send('/api/trpc/live/charges.create', { method: 'POST' })).status).toBe(401);
  expect(fetch).toHaveBeenCalledTimes(2);
  call.reject(new Error('The service is away.'));
  await expect(change).rejects.toThrow('away');
  expect((await send('/api/trpc/live/session.me')).status).toBe(401);
});
