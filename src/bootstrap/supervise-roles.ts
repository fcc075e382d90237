import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Environment } from '#config/environment.ts';
import type { RailCall } from '#rails/pix/api-pix-rail.ts';
import type { Observation } from '#services/deps.ts';
import type { Addresses, Startup } from './startup.ts';

/** The message that makes a process serve one role. */
export type RoleOrder = { env: Environment; above: Addresses };

/** Messages from such a process: how its start went, and from then on what is to be counted. */
export type RoleReport =
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  | { kind: 'observed'; observations: readonly Observation[]; railCalls: readonly RailCall[] };

/** The roles that have processes of their own beneath the one that serves the web. */
const ROLES = ['sandbox', 'worker'] as const;
type OrderedRole = (typeof ROLES)[number];

/**
 * How long after its end a process is started again: at once, and slower while it ends again and
 * again.
 */
const AGAIN_AFTER_MS = [100, 1_000, 5_000];
/** A process that ran for this long had started well: its end counts as the first again. */
const RAN_WELL_MS = 60_000;

const PROGRAM = join(import.meta.dirname, '../role-process.ts');

/** Why a role does not serve: one line for the operator. */
export class RoleError extends Error {}

type OnObserved = (report: Extract<RoleReport, { kind: 'observed' }>) => void;

export type RoleProcesses = {
  /** Where the sandbox's process listens; it stays when that process is replaced. */
  sandboxPort: number;
  /** Gives each process its order, and resolves when all of them serve. Throws RoleError. */
  start(orderOf: (role: OrderedRole) => RoleOrder, onObserved: OnObserved): Promise<void>;
  /** Asks a process to shut down, and resolves when it has ended. */
  stop(role: OrderedRole): Promise<void>;
};

/**
 * Runs worker and sandbox in processes of their own, so that no role waits for the CPU time of
 * another one, and none falls with another one: a process that ends is started again. They load
 * their code while the database is opened, and serve once they have their orders. All of them end
 * when this process does.
 */
export async function superviseRoles({ closing, log }: Startup): Promise<RoleProcesses> {
  const { port: sandboxPort, release } = await holdPort();
  const children = new Map<OrderedRole, ChildProcess>(ROLES.map((role) => [role, load()]));
  const stopping = new Set<OrderedRole>();
  const isWanted = (role: OrderedRole) => !stopping.has(role) && !closing.begun;

  type Begin = (child: ChildProcess) => Promise<void>;
  const replace = (role: OrderedRole, begin: Begin, tries: number, why: object): void => {
    if (!isWanted(role)) return;
    const afterMs = AGAIN_AFTER_MS[Math.min(tries, AGAIN_AFTER_MS.length - 1)] ?? 0;
    log.error({ role, ...why, afterMs }, 'A process ended; starting it again.');
    setTimeout(() => {
      if (!isWanted(role)) return;
      try {
        keep(role, load(), begin, tries + 1).catch((error: Error) => log.error({ role, err: error }, error.message));
      } catch (error) {
        replace(role, begin, tries + 1, { err: error });
      }
    }, afterMs);
  };

  /** Has `child` serve its role, and replaces it when it ends. */
  const keep = (role: OrderedRole, child: ChildProcess, begin: Begin, tries = 0): Promise<void> => {
    const startedMs = performance.now();
    children.set(role, child);
    child.once('exit', (code, signal) => {
      const ranWell = performance.now() - startedMs > RAN_WELL_MS;
      replace(role, begin, ranWell ? 0 : tries, { code, signal });
    });
    // One that the system did not start, for want of memory for example, does not exit.
    if (child.pid === undefined) child.once('error', (err) => replace(role, begin, tries, { err }));
    // What can't be sent to it is a further error, which would end this process.
    child.on('error', () => {});
    return begin(child).then(() => log.info({ role, pid: child.pid }, 'A process of its own serves the role.'));
  };

  return {
    sandboxPort,
    async start(orderOf, onObserved) {
      // Kills what did not end in time. The database, which is opened by now, is closed after this.
      closing.last('roles', async () => {
        await Promise.all([...children.values()].map((child) => end(child, 'SIGKILL')));
      });
      release();
      await Promise.all(
        ROLES.map((role) =>
          keep(role, children.get(role) ?? load(), (child) => give(child, orderOf(role), onObserved)),
        ),
      );
    },
    async stop(role) {
      stopping.add(role);
      const child = children.get(role);
      if (child) await end(child, 'SIGTERM');
    },
  };
}

/** Gives a process its order; resolves when it serves, rejects when it ends before that. */
function give(child: ChildProcess, order: RoleOrder, onObserved: OnObserved): Promise<void> {
  const { role } = order.env;
  return new Promise((resolve, reject) => {
    child.on('message', (report: RoleReport) => {
      if (report.kind === 'ready') resolve();
      else if (report.kind === 'failed') reject(new RoleError(`The ${role} did not start: ${report.message}`));
      else onObserved(report);
    });
    child.once('exit', (code, signal) => reject(new RoleError(`The ${role} ended at its start (${signal ?? code}).`)));
    // It has ended already, and its order can't be sent.
    child.once('error', (error) => reject(new RoleError(`The ${role} did not start: ${error.message}`)));
    child.send(order);
  });
}

function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

const load = () => fork(PROGRAM, { serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

/** A free port that nobody else gets until it is released. */
async function holdPort(): Promise<{ port: number; release(): void }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { port, release: () => void server.close() };
}
