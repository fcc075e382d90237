import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Load, LoadOrder } from './load.ts';
import { UNIQUE } from './operations.ts';
import { startChild } from './processes.ts';

const ANSWER_MS = 30;
const CONNECTIONS = 4;

const bodies: string[] = [];
let cutOff = 0;
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', async () => {
    bodies.push(body);
    await sleep(ANSWER_MS);
    if (response.destroyed) cutOff++;
    else response.writeHead(body.startsWith('wrong') ? 500 : 201).end('{"error":"no"}');
  });
}).listen(0, '127.0.0.1');
const folder = mkdtempSync(join(tmpdir(), 'trilho-test-load-'));
const load = startChild('load.ts', { log: join(folder, 'log') });

afterAll(async () => {
  await load.stop();
  server.close();
  rmSync(folder, { recursive: true });
});

async function run(...sent: string[]): Promise<Load> {
  bodies.length = 0;
  const { port } = server.address() as AddressInfo;
  const order: LoadOrder = {
    urls: [`http://127.0.0.1:${port}`],
    connections: CONNECTIONS,
    seconds: 0.3,
    requests: sent.map((body) => ({ method: 'POST', path: '/', body })),
    status: 201,
  };
  return load.ask<Load>(order);
}

test('a load waits for the answers to its last requests', async () => {
  const { requests, failures } = await run('a');
  expect(failures).toBe(0);
  expect(requests).toBe(bodies.length);
  expect(cutOff).toBe(0);
});

test('the connections of a load begin with different requests', async () => {
  await run('a', 'b', 'c');
  expect(bodies.slice(0, CONNECTIONS).toSorted()).toEqual(['a', 'a', 'b', 'c']);
});

test('each request of a load has a text of its own where the body asks for one', async () => {
  await run(UNIQUE);
  expect(new Set(bodies).size).toBe(bodies.length);
  expect(bodies).not.toContain(UNIQUE);
});

test('a load counts the answers with another status, and says what the first one was', async () => {
  const { requests, failures, firstFailure } = await run('wrong');
  expect(failures).toBe(requests);
  expect(firstFailure).toBe('500 {"error":"no"}');
});
