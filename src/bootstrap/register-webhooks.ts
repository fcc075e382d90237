import { pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import type { Deps } from '#services/deps.ts';

/**
 * A PSP that did not note our callback address is asked again after this, and after twice as long
 * each further time: credentials that ended, of which there are some after a year, are rejected
 * until somebody replaces them.
 */
const PAUSE_MIN_MS = 5_000;
const PAUSE_MAX_MS = 5 * 60_000;

/**
 * Registers our callback address with every PSP, and tries again until each has it; `again` is
 * called after credentials may have been added. Registering twice changes nothing at a PSP.
 */
export function registerWebhooks(deps: Deps, callbackBase: (rail: string) => string) {
  const registered = new Set<string>();
  /** By the name of the rail: when it is asked again, and how long it has been left alone. */
  let failed = new Map<string, { untilMs: number; pauseMs: number }>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  // Timers run by it, too: the clock may be set back.
  const nowMs = () => performance.now();
  const register = async () => {
    const rails = await deps.rails.pixRails();
    // One whose credentials are gone is asked no more.
    const names = new Set(rails.map(({ name }) => name));
    failed = new Map([...failed].filter(([name]) => names.has(name)));
    for (const rail of rails) {
      const { name } = rail;
      const before = failed.get(name);
      if (stopped || registered.has(name) || (before && nowMs() < before.untilMs)) continue;
      const result = await rail.registerWebhook(pixCallbackUrl(callbackBase(name), deps.secretBox, name));
      if (result.outcome === 'done') {
        registered.add(name);
        failed.delete(name);
        continue;
      }
      const pauseMs = before ? Math.min(2 * before.pauseMs, PAUSE_MAX_MS) : PAUSE_MIN_MS;
      failed.set(name, { untilMs: nowMs() + pauseMs, pauseMs });
      deps.log.warn({ rail: name, reason: result.reason }, 'The PSP did not note our callback address yet.');
    }
    if (failed.size === 0) return;
    const nextMs = Math.min(...[...failed.values()].map(({ untilMs }) => untilMs));
    schedule(Math.max(nextMs - nowMs(), 0));
  };
  const schedule = (afterMs: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(again, afterMs);
  };
  const again = () => {
    register().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'Could not register our callback address with the PSPs.');
      schedule(PAUSE_MIN_MS);
    });
  };
  again();
  return {
    again,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
