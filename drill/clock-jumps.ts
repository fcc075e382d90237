import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import type { Role } from './installation.ts';

const CLIENTS = 4;
const HOUR_MS = 60 * 60_000;
const ROUNDS = { short: 1, long: 3 };
const LASTS_MS = { short: 3_000, long: 10_000 };

/** The machines whose clocks are set, and set back: all of them, or those of one role. */
const MACHINES: readonly { name: string; roles: readonly Role[] }[] = [
  { name: 'every machine', roles: ['web', 'worker'] },
  { name: 'the workers’ machine', roles: ['worker'] },
  { name: 'the web machine', roles: ['web'] },
];

/** The clocks of our machines jump by an hour, forth and back; the providers' stay. */
export const clockJumps: Drill = {
  name: 'clock jumps',
  installation: { movableClocks: true },
  async run(scene) {
    const { installation, load } = scene;
    const lastsMs = scene.times(LASTS_MS.short, LASTS_MS.long);
    load.start(CLIENTS);
    for (let round = 0; round < scene.times(ROUNDS.short, ROUNDS.long) && (round === 0 || scene.hasTime()); round++) {
      for (const { name, roles } of MACHINES) {
        for (const [jump, offsetMs] of [
          ['an hour forth', HOUR_MS],
          ['back', 0],
          ['an hour back', -HOUR_MS],
          ['forth again', 0],
        ] as const) {
          await scene.inject(`${name}: ${jump}`, async () => {
            for (const process of installation.processes)
              if (roles.includes(process.role)) process.setClockOffset(offsetMs);
          });
          await sleep(lastsMs);
        }
      }
    }
  },
};
