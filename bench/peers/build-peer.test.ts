import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { buildPeer, PeerNotBuilt } from './build-peer.ts';
import type { Peer } from './peer.ts';

const home = mkdtempSync(join(tmpdir(), 'trilho-test-peers-'));
const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
});
afterAll(() => rmSync(home, { recursive: true }));

const peer = (needs: readonly string[] = []): Peer => ({
  name: 'peer',
  source: { repository: join(home, 'nowhere'), tag: 'v1', package: './cmd' },
  needs,
  start: () => Promise.reject(new Error('It is not built.')),
});

/** A `go` that runs these lines of shell. */
function withGo(lines: string): void {
  const folder = join(home, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'go'), `#!/bin/sh\n${lines}\n`);
  chmodSync(join(folder, 'go'), 0o755);
  process.env.PATH = `${folder}:${path}`;
}

const failure = (built: Promise<unknown>): Promise<unknown> => built.then(() => null).catch((error: unknown) => error);

test('a peer is built in its checkout, and the version is the checkout’s', async () => {
  withGo('echo "$PWD $*" > "$3"');
  const { program, version } = await buildPeer(peer(), home, import.meta.dirname);
  expect(program).toBe(join(home, 'peer'));
  expect(version).not.toBe('');
});

test('a peer that needs a program which is not there is not built, and the program is named', async () => {
  withGo('exit 0');
  const error = await failure(buildPeer(peer(['no-such-server']), home, import.meta.dirname));
  expect(error).toBeInstanceOf(PeerNotBuilt);
  expect((error as Error).message).toBe('no-such-server is not installed');
});

test('a peer that cannot be cloned is not built, and its option is named', async () => {
  withGo('exit 0');
  const error = await failure(buildPeer(peer(), home, undefined));
  expect(error).toBeInstanceOf(PeerNotBuilt);
  expect((error as Error).message).toContain('give a checkout of it with --peer');
});

test('a peer that does not compile is not built, and the last lines say why', async () => {
  withGo('echo "module: 403 Forbidden" >&2; exit 1');
  const error = await failure(buildPeer(peer(), home, import.meta.dirname));
  expect(error).toBeInstanceOf(PeerNotBuilt);
  expect((error as Error).message).toContain('403 Forbidden');
});
