import { type Environment, processEnvironment } from '#config/environment.ts';
import { readPidFile } from '#config/pid-file.ts';
import { sandboxControlToken } from '#config/sandbox-account.ts';
import { CommandError, openOwnSecretBox } from './context.ts';

const TIMEOUT_MS = 10_000;

/** Where the sandbox is. Throws CommandError where none runs. */
export function findSandboxUrl(env: Environment): string {
  const url = env.sandboxUrl ?? readPidFile(env.home)?.sandboxUrl;
  if (!url) throw new CommandError('No sandbox runs here: start the service with npm start, or set SANDBOX_URL.');
  return url;
}

/**
 * Calls the control side of the running sandbox. Throws CommandError with the sandbox's own
 * sentence, or where none runs.
 */
export async function callSandbox(
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const env = processEnvironment();
  const base = findSandboxUrl(env);
  const token = sandboxControlToken(openOwnSecretBox(env));
  const response = await fetch(`${base}/control${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new CommandError(`The sandbox at ${base} does not answer: is the service running?`);
  });
  const answer: unknown = await response.json().catch(() => null);
  const isObject = typeof answer === 'object' && answer !== null;
  if (isObject && response.ok) return answer as Record<string, unknown>;
  // Its problems have a sentence: anything else is not the sandbox.
  const detail = isObject && 'detail' in answer ? answer.detail : null;
  throw new CommandError(
    typeof detail === 'string'
      ? detail
      : `No sandbox answers at ${base} (HTTP ${response.status}): change SANDBOX_URL.`,
  );
}
