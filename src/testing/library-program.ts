import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { signWebhook } from '#domain/webhooks/webhook-signature.ts';
import type { TestService } from './test-service.ts';

/** Shared by the tests of the libraries that merchants install. */

const CHECKOUT = join(import.meta.dirname, '../..');

/**
 * The fees of the accounts that the libraries are used with: a charge is free, a withdrawal costs
 * 0.90.
 */
export const LIBRARY_FEES = [
  { type: 'pix_in' as const, fee: { bps: 0, fixedCentavos: 0n } },
  { type: 'pix_out' as const, fee: { bps: 0, fixedCentavos: 90n } },
];

/** The examples of a README in their order, those in one language. */
export function examplesOf(library: string, language: string): [first: string, ...rest: string[]] {
  const readme = readFileSync(join(library, 'README.md'), 'utf8');
  const fences = readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.+?)^\`\`\`$`, 'gms'));
  const [first, ...rest] = [...fences].map(([, code = '']) => code);
  if (first === undefined || rest.length < 5) throw new Error(`${library} has too few examples in its README.`);
  return [first, ...rest];
}

/** The document's example of a paid charge, signed as the service signs it: headers and body. */
export function signedExampleEvent(secret: string): string {
  const document = JSON.parse(readFileSync(join(CHECKOUT, 'public/openapi.json'), 'utf8'));
  const { example } = document.webhooks['pix_in.paid'].post.requestBody.content['application/json'];
  const body = JSON.stringify(example);
  const sentAt = Math.floor(Date.now() / 1_000);
  const headers = {
    'webhook-id': example.id,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': signWebhook(secret, example.id, sentAt, body),
  };
  return JSON.stringify({ headers, body });
}

/**
 * Runs a program that uses a library, and pays the charges that it reports: `steps` are its lines
 * of JSON after a `@`, `printed` the others. Throws an error with what it printed to stderr.
 */
export async function runLibraryProgram(
  trilho: TestService,
  [program = '', ...args]: string[],
  { cwd, environment = {} }: { cwd: string; environment?: Record<string, string> },
) {
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let problems = '';
  child.stderr.on('data', (chunk) => {
    problems += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const steps: Record<string, unknown>[] = [];
  const printed: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('@')) printed.push(line);
    else {
      const step = JSON.parse(line.slice(1));
      steps.push(step);
      if (step.step === 'charged') await trilho.pay(step.transactionId);
    }
  }
  if ((await ended) !== 0) throw new Error(problems);
  return { steps, printed };
}
