import { expect, test, vi } from 'vitest';
import { isolateListeners } from '#testing/isolate-listeners.ts';
import { InterruptedError, withOwnServer } from './with-own-server.ts';
import { withoutInterruption } from './without-interruption.ts';

isolateListeners(['SIGINT', 'SIGTERM', 'SIGHUP']);

/** A server whose stop fails the query that is waited for. */
function fakeServer(adopted = false) {
  const { promise: query, reject } = Promise.withResolvers<never>();
  query.catch(() => {});
  const stop = vi.fn(async () => reject(new Error('terminating connection due to administrator command')));
  return { server: { stop, adopted }, query };
}

test('an interrupted command stops the database server that it has started, and says that it was interrupted', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const { server, query } = fakeServer();
    const done = withOwnServer(
      async () => server,
      () => query,
    );
    await new Promise(setImmediate);
    expect(process.emit(signal), signal).toBe(true);
    await expect(done).rejects.toThrow(InterruptedError);
    expect(server.stop).toHaveBeenCalled();
    expect(process.listenerCount(signal)).toBe(0);
  }
});

test('a command that is interrupted while its server starts does nothing and stops it', async () => {
  const { server } = fakeServer();
  const work = vi.fn();
  const done = withOwnServer(async () => {
    await new Promise(setImmediate);
    return server;
  }, work);
  process.emit('SIGINT');
  await expect(done).rejects.toThrow(InterruptedError);
  expect(server.stop).toHaveBeenCalledTimes(1);
  expect(work).not.toHaveBeenCalled();
});

test('an interruption leaves a server to the work that cleans up in it, and the running service’s to the service', async () => {
  const { server } = fakeServer();
  const stopsBefore: number[] = [];
  const done = withoutInterruption((signal) =>
    withOwnServer(
      async () => server,
      async () => {
        process.emit('SIGINT');
        expect(signal.aborted).toBe(true);
        stopsBefore.push(server.stop.mock.calls.length);
        signal.throwIfAborted();
      },
    ),
  );
  await expect(done).rejects.toThrow('nothing is left behind');
  expect([stopsBefore, server.stop.mock.calls.length]).toEqual([[0], 1]);

  await withOwnServer(
    async () => fakeServer(true).server,
    async () => expect(process.listenerCount('SIGINT')).toBe(0),
  );
});
