import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { TestService } from '../test-service.ts';

/**
 * The steps that a program with a generated client prints. A float of 32 bits would make 131,072.02
 * of 131,072.01.
 */
const STEPS = [
  { step: 'charged', transactionId: expect.any(String), amount: 131072.01, code: expect.stringMatching(/^000201/) },
  { step: 'paid', status: 'paid', amount: 131072.01, fees: 1297.61 },
  { step: 'balance', available: 129774.4 },
  { step: 'withdrawn', transactionId: expect.any(String), total: 50.9, key: '+5511987654321' },
  { step: 'listed', amounts: { pix_in: 131072.01, pix_out: 50 }, more: false },
  { step: 'refunded', amount: 1072.01, status: 'pending' },
  {
    step: 'read',
    amount: 131072.01,
    refunded: 1072.01,
    history: ['pix_in.created', 'pix_in.paid', 'pix_in.refunded'],
  },
  { step: 'event', type: 'pix_in.paid', amount: 131072.01 },
  { step: 'refused', status: 400, error: 'Chave PIX inválida', code: 'invalid_pix_key' },
];

/**
 * Runs a merchant's program, which gets the address of the service and a key and prints a line of
 * JSON for each step; pays the charge that it makes, and compares its steps. `command` is the
 * program and its first arguments.
 */
export async function expectMainFlow(
  trilho: TestService,
  [program = '', ...args]: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<void> {
  const { apiKey } = await trilho.openAccount({
    fees: [
      { type: 'pix_in', fee: { bps: 99, fixedCentavos: 0n } },
      { type: 'pix_out', fee: { bps: 0, fixedCentavos: 90n } },
    ],
  });
  const child = spawn(program, [...args, trilho.url, apiKey], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let problems = '';
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const steps: Record<string, unknown>[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const step = JSON.parse(line);
    steps.push(step);
    if (step.step === 'charged') await trilho.pay(String(step.transactionId));
  }
  if ((await ended) !== 0) throw new Error(problems);
  expect(steps).toEqual(STEPS);
}
