import { request } from 'undici';
import type { SANDBOX_SWITCHES } from '#domain/sandbox/sandbox-switches.ts';
import type { Drill, Scene } from './drill.ts';
import type { Installation } from './installation.ts';
import { PROVIDER_TROUBLES } from './provider-proxy.ts';

const CLIENTS = 4;
/** Longer than the service waits for an answer of the simulators. */
const LASTS_MS = { short: 5_000, long: 10_000 };
const AWAY_MS = { short: 10_000, long: 10 * 60_000 };

type Switches = { [Name in keyof typeof SANDBOX_SWITCHES]?: (typeof SANDBOX_SWITCHES)[Name][number] };

/** The settings of the simulators; several switches at once where they are of different kinds. */
const TROUBLES: readonly { name: string; switches: Switches }[] = [
  {
    name: 'providers execute and never answer',
    switches: { 'pix.payout': 'silent_done', 'pix.refund': 'silent_done', 'crypto.payout': 'silent_done' },
  },
  {
    name: 'providers neither execute nor answer',
    switches: { 'pix.payout': 'silent_lost', 'pix.refund': 'silent_lost', 'crypto.payout': 'silent_lost' },
  },
  {
    name: 'providers accept, then do not carry out',
    switches: { 'pix.payout': 'refused', 'pix.refund': 'refused', 'crypto.payout': 'refused' },
  },
  { name: 'providers reject at once', switches: { 'pix.payout': 'rejected', 'pix.refund': 'rejected' } },
  { name: 'charges can’t be created: 500', switches: { 'pix.charge': 'error', 'crypto.invoice': 'error' } },
  { name: 'charges can’t be created: no answer', switches: { 'pix.charge': 'timeout', 'crypto.invoice': 'timeout' } },
  { name: 'questions are answered 500', switches: { 'pix.query': 'error' } },
  { name: 'questions are not answered', switches: { 'pix.query': 'timeout' } },
  { name: 'callbacks come twice', switches: { 'pix.callback': 'twice', 'crypto.callback': 'twice' } },
  { name: 'callbacks never come', switches: { 'pix.callback': 'never', 'crypto.callback': 'never' } },
  { name: 'callbacks are forged', switches: { 'pix.callback': 'forged', 'crypto.callback': 'forged' } },
  { name: 'callbacks come in another order', switches: { 'pix.callback': 'reordered' } },
  { name: 'callbacks are late', switches: { 'pix.callback': 'delayed' } },
  { name: 'callbacks fail at first', switches: { 'pix.callback': 'failing' } },
  { name: 'there are no quotes', switches: { quotes: 'down' } },
];

/**
 * Providers that fail in every known way: the books have exactly what the providers carried out.
 */
export const providerTroubles: Drill = {
  name: 'providers in trouble',
  installation: { providerProxied: true },
  // After ten minutes of absence a failed task is tried again within fifteen minutes.
  patienceMs: 20 * 60_000,
  async run(scene) {
    const { installation, load } = scene;
    const { providerProxy: proxy } = installation;
    if (!proxy) throw new Error('The drill needs a proxy in front of the simulators.');
    const lastsMs = scene.times(LASTS_MS.short, LASTS_MS.long);
    load.start(CLIENTS);
    for (const { name, switches } of TROUBLES) {
      await scene.injectLasting(name, lastsMs, async () => {
        const before = await setSwitches(installation, switches);
        return async () => void (await setSwitches(installation, before));
      });
    }
    await scene.injectLasting('payers pay another amount', lastsMs, async () => {
      load.payAnotherAmount(true);
      return () => load.payAnotherAmount(false);
    });
    for (const trouble of PROVIDER_TROUBLES) {
      const forMs = trouble === 'is away' ? awayMs(scene) : lastsMs;
      await scene.injectLasting(`the provider ${trouble}`, forMs, async () => {
        proxy.setTrouble(trouble);
        return () => proxy.setTrouble(null);
      });
    }
  },
};

/** How long the provider is away: as long as the drill's time allows. */
function awayMs(scene: Scene): number {
  const wantedMs = scene.times(AWAY_MS.short, AWAY_MS.long);
  const forMs = Math.max(AWAY_MS.short, Math.min(wantedMs, scene.timeLeftMs()));
  if (forMs < wantedMs)
    scene.leaveOut(`an absence of ${wantedMs / 60_000} minutes`, `it lasted for ${Math.round(forMs / 1000)} s`);
  return forMs;
}

/** Sets switches of the simulators. Returns their values before. */
export async function setSwitches({ sandboxUrl, controlToken }: Installation, wanted: Switches): Promise<Switches> {
  const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' };
  const before = (await (await request(`${sandboxUrl}/control/switches`, { headers })).body.json()) as Switches;
  const names = Object.keys(wanted) as (keyof Switches)[];
  for (const name of names) {
    const body = JSON.stringify({ name, value: wanted[name] });
    const answer = await request(`${sandboxUrl}/control/switches`, { method: 'PUT', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`The switch ${name} could not be set: ${text}`);
  }
  return Object.fromEntries(names.map((name) => [name, before[name]])) as Switches;
}
