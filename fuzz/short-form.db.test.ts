import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../src/testing/test-service.ts';
import { type FuzzSupervision, type FuzzTarget, openFuzzTarget } from './fuzz-target.ts';
import { describeFailure } from './report.ts';
import { MEMORY_GROWTH_MAX, runFuzz } from './run-fuzz.ts';
import { superviseService } from './supervise-service.ts';

/**
 * Fixed, so that a failure belongs to the change that it appears with. `npm run fuzz` takes another
 * one.
 */
const SEED = 20_261_123;
/** About six for each operation over REST, and one for each procedure. */
const REQUESTS = 400;

let service: TestService;
let target: FuzzTarget;
let supervision: FuzzSupervision;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  const variables = { RATE_LIMIT_PER_KEY: '10000000', RATE_LIMIT_FAILED_KEYS: '10000000' };
  service = await startTestService({ variables });
  closing.push(() => service.stop());
  target = await openFuzzTarget(service, closing);
  supervision = superviseService(service);
});
afterAll(async () => {
  for (let undo = closing.pop(); undo; undo = closing.pop()) await undo();
});

test('hostile values cause no 5xx but the documented 503, no HTML page, no stack and no error in the log', async () => {
  const result = await runFuzz(target, supervision, { requests: REQUESTS, seed: SEED });
  expect(result.failures.map(describeFailure)).toEqual([]);
  expect(result.requests).toEqual({ rest: 200, panel: 160, console: 40 });
  expect(result.kinds['one field']).toBeGreaterThan(REQUESTS / 3);
  // If all requests are rejected at the first check, nothing behind it is tested.
  expect(result.statuses.get(200)).toBeGreaterThan(REQUESTS / 5);
});

describe('planted', () => {
  const only = ['createPixCharge'];
  const SIGN = 'Infinity';
  const options = { requests: 150, seed: SEED, only };

  test.each([
    ['an internal error', 500, 'application/json', '{"success":false,"error":"x","message":"y"}', 'status 500'],
    ['a page', 400, 'text/html', '<!doctype html><title>x</title>', 'HTML'],
    [
      'a stack',
      400,
      'application/json',
      '{"success":false,"error":"x","message":"TypeError: x\\n    at f (/app/x.js:1:2)"}',
      'shows its insides',
    ],
  ])('%s for one hostile value is found, with a request that causes it', async (...row) => {
    const [, status, type, text, found] = row;
    const broken = await startPlanted((body) => (body.includes(SIGN) ? { status, type, text } : null));
    closing.push(broken.close);
    const result = await runFuzz({ ...target, url: broken.url }, supervision, options);
    const failures = result.failures.filter(({ operation }) => operation === 'createPixCharge');
    expect(failures).not.toEqual([]);
    for (const failure of failures) {
      expect(failure.what).toContain(found);
      expect(failure.request).toContain(SIGN);
      expect(failure.repeat).toBe(`--seed ${SEED} --only createPixCharge`);
    }
  });

  test('an error in the log, a ledger that does not add up and memory that grows are found', async () => {
    let used = 1_000;
    const { failures } = await runFuzz(
      target,
      {
        ...supervision,
        takeErrorLines: async () => ['{"level":"error"}'],
        checkLedger: async () => ['a transfer sums to 1'],
        async measureMemory() {
          used *= MEMORY_GROWTH_MAX;
          return { used, resident: 0 };
        },
      },
      { requests: 20, seed: SEED, only },
    );
    const found = new Set(failures.map(({ operation }) => operation));
    expect([...found].sort()).toEqual(['createPixCharge', 'memory', 'the ledger', 'the log']);
  });

  test('a run that sends nothing is found', async () => {
    const { failures } = await runFuzz(target, supervision, { requests: 5, seed: SEED, only: ['nothing'] });
    expect(failures.map(({ what }) => what)).toEqual(['nothing was answered']);
  });

  test('a tenant who was signed out is found: their requests prove nothing', async () => {
    const signedOut = { ...target, cookie: 'x=y' };
    const { failures } = await runFuzz(signedOut, supervision, { requests: 5, seed: SEED, only });
    expect(failures.map(({ what }) => what)).toEqual(['the session is answered 401']);
  });
});

type Planted = { status: number; type: string; text: string };
const REJECTED: Planted = {
  status: 401,
  type: 'application/json',
  text: '{"success":false,"error":"x","message":"y","code":"api_key_invalid"}',
};

/**
 * Starts a server that rejects every request as the contract says, except those for which something
 * is planted.
 */
async function startPlanted(plant: (body: string) => Planted | null): Promise<{ url: string; close: () => void }> {
  const answer: RequestListener = (req, res) => {
    let body = '';
    req.on('data', (chunk) => {
      body += String(chunk);
    });
    req.on('error', () => {});
    req.on('end', () => {
      const { status, type, text } = plant(body) ?? REJECTED;
      res.writeHead(status, { 'content-type': type });
      res.end(text);
    });
  };
  const server = createServer(answer);
  server.on('checkExpectation', answer);
  // Node itself would answer a request that is cut off, without a body.
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
