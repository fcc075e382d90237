import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Peer } from './peer.ts';

const run = promisify(execFile);

/** Downloading and compiling a few hundred modules on a slow machine takes minutes. */
const BUILD_LIMIT_MS = 20 * 60_000;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
/** The end of a tool's output, in which it says what went wrong. */
const REASON_LINES = 3;

/** Thrown when a peer cannot be built; the message says why, and what to do. */
export class PeerNotBuilt extends Error {}

/** What a peer was built from, and where its program is. */
export type BuiltPeer = { program: string; version: string };

/**
 * Builds a peer into `home`, its modules by the Go module proxy: from `checkout`, or from a clone
 * of its repository at the tag that was tried. Throws PeerNotBuilt.
 */
export async function buildPeer(
  { name, source, needs }: Peer,
  home: string,
  checkout: string | undefined,
): Promise<BuiltPeer> {
  for (const program of ['go', ...needs]) await assertInstalled(program);
  const folder = checkout ?? join(home, `${name}-source`);
  if (checkout === undefined) {
    const clone = ['clone', '--quiet', '--depth', '1', '--branch', source.tag, source.repository, folder];
    await orNotBuilt(`git ${clone.join(' ')}`, `give a checkout of it with --${name}`, run('git', clone));
  }
  const program = join(home, name);
  const build = ['build', '-o', program, source.package];
  await orNotBuilt(
    `go ${build.join(' ')} in ${folder}`,
    'try another version of it',
    run('go', build, { cwd: folder, timeout: BUILD_LIMIT_MS, maxBuffer: OUTPUT_BYTES_MAX }),
  );
  const { stdout } = await run('git', ['describe', '--tags', '--always'], { cwd: folder });
  return { program, version: stdout.trim() };
}

async function assertInstalled(program: string): Promise<void> {
  try {
    await run('sh', ['-c', 'command -v "$1"', 'sh', program]);
  } catch {
    throw new PeerNotBuilt(`${program} is not installed`);
  }
}

async function orNotBuilt(command: string, advice: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = (stderr || message).trimEnd().split('\n').slice(-REASON_LINES).join('\n');
    throw new PeerNotBuilt(`${command} failed (${advice}):\n${reason}`);
  }
}
