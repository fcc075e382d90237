import { pixCallbackUrl } from '#services/callbacks/callback-url.ts';
import type { Deps } from '#services/deps.ts';

/**
 * A PSP that does not answer at start is asked again this often to register our callback address.
 */
const REGISTER_EVERY_MS = 5_000;

/**
 * Registers our callback address with every PSP, and tries again until each has it; `again` is
 * called after credentials may have been added. Registering twice changes nothing at a PSP.
 */
export function registerWebhooks(deps: Deps, callbackBase: (rail: string) => string) {
  const registered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const register = async () => {
    clearTimeout(timer);
    let failed = false;
    for (const rail of await deps.rails.pixRails()) {
      if (stopped || registered.has(rail.name)) continue;
      const result = await rail.registerWebhook(pixCallbackUrl(callbackBase(rail.name), deps.secretBox, rail.name));
      if (result.outcome === 'done') {
        registered.add(rail.name);
        continue;
      }
      failed = true;
      deps.log.warn({ rail: rail.name, reason: result.reason }, 'The PSP did not note our callback address yet.');
    }
    if (failed && !stopped) timer = setTimeout(again, REGISTER_EVERY_MS);
  };
  const again = () => {
    register().catch((error: unknown) =>
      deps.log.warn({ err: error }, 'Could not register our callback address with the PSPs.'),
    );
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
