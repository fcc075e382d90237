import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#db/testing/test-database.ts';
import { freePort } from '#postgres/free-port.ts';
import { type Receiver, startReceiver } from './testing/running-sandbox.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The addresses in docs/sandbox.md: the sandbox's port, and the receiver of its callbacks. */
const PAGE_PORT = '3001';
const PAGE_CALLBACKS = 'http://127.0.0.1:8080';

/** The commands of docs/sandbox.md, a block each, in their order. */
const blocks = [...readFileSync(join(ROOT, 'docs/sandbox.md'), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, commands = '']) => commands,
);

let database: TestDatabase;
let home: string;
let env: NodeJS.ProcessEnv;
let port: string;
let sandbox: ChildProcess;
let receiver: Receiver;
let said = '';

beforeAll(async () => {
  database = await createTestDatabase();
  home = mkdtempSync(join(tmpdir(), 'trilho-sandbox-'));
  port = String(await freePort());
  receiver = await startReceiver();
  // Replaces a PostgreSQL of its own, which takes longer to create than the rest of the test.
  const own = { TRILHO_HOME: home, DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl, DEMO: 'true' };
  // The web processes' own, where all have one environment.
  env = { ...process.env, ...own, LOG_LEVEL: 'silent', PUBLIC_URL: 'https://pay.example.com' };
  sandbox = spawn('bash', ['-c', `exec env ${onPort(blocks[0] ?? '').trim()}`], {
    cwd: ROOT,
    env,
    // The service ends when the process that started it ends.
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    sandbox.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}: ${said}`)));
    sandbox.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('is ready')) resolve();
    });
  });
});
afterAll(async () => {
  const ended = new Promise((resolve) => sandbox.once('exit', resolve));
  sandbox.kill('SIGTERM');
  await ended;
  await receiver.close();
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});

test('the commands of docs/sandbox.md do what it says, one after the other', async () => {
  expect(said).toContain(`Trilho (sandbox) is ready: http://127.0.0.1:${port}/sandbox\n`);
  const [start, ...rest] = blocks;
  expect(start).toBe(`ROLE=sandbox PORT=${PAGE_PORT} npm start\n`);
  const separated = rest.map((block) => `${onPort(block)}\necho; echo ---`).join('\n');
  const output = await run(separated);
  const [credentials, token, charge, webhook, paid, refund, failed, check] = output.split('\n---\n');
  expect([credentials, token, webhook].map((text) => text?.trim())).toEqual(['', '', '']);
  expect(charge).toContain('"status":"ATIVA"');
  expect(paid).toMatch(/"endToEndId":"E\w{31}".*\n?.*"status":"CONCLUIDA"/s);
  expect(refund).toContain('"status":"EM_PROCESSAMENTO"');
  expect(failed).toContain('ErroInternoDoServidor');
  expect(check).toMatch(/^cob \* +can /m);
  await expect.poll(() => receiver.paths).toEqual(['POST /pix-callbacks/pix', 'POST /pix-callbacks/pix']);
});

const onPort = (commands: string) => commands.replaceAll(PAGE_PORT, port).replaceAll(PAGE_CALLBACKS, receiver.url);

function run(script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: ROOT, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}\n${stdout}`));
      else resolve(stdout);
    });
  });
}
