import { afterEach, expect, test, vi } from 'vitest';
import { isolateListeners } from '#testing/isolate-listeners.ts';
import { createClosing, stopOnSignals } from './shutdown.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// What starts the process may go away, too: that is listened to as well.
isolateListeners([...SIGNALS, 'disconnect']);
afterEach(() => vi.restoreAllMocks());

/** Sends this process one signal; resolves to whether it was handled, and everything closed. */
async function stoppedBy(name: (typeof SIGNALS)[number], options?: { exceptTerminal: boolean }) {
  process.removeAllListeners(name);
  const exit = vi
    .spyOn(process, 'exit')
    .mockReset()
    .mockReturnValue(undefined as never);
  const closing = createClosing();
  const closed = vi.fn();
  closing.last('database', closed);
  stopOnSignals(closing, options);
  const isHandled = process.emit(name);
  if (closing.begun) await vi.waitFor(() => expect(exit).toHaveBeenCalledWith(0));
  return { isHandled, isClosed: closed.mock.calls.length === 1 };
}

test('a service stops in order, its database last, on Ctrl-C, on SIGTERM and when its terminal is closed', async () => {
  for (const name of SIGNALS) expect(await stoppedBy(name), name).toEqual({ isHandled: true, isClosed: true });
});

test('a process beneath another one leaves what the terminal sends to all of them to that one', async () => {
  for (const name of ['SIGINT', 'SIGHUP'] as const)
    expect(await stoppedBy(name, { exceptTerminal: true }), name).toEqual({ isHandled: true, isClosed: false });
});
