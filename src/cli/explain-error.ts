import { InvalidArgumentError } from 'commander';
import { EnvironmentError } from '#config/environment.ts';
import { isUnavailable } from '#db/connection/is-unavailable.ts';
import { StartError } from '#domain/errors/start-error.ts';
import { MasterKeyError } from '#services/encryption/check-master-keys.ts';
import { isFileError } from './backup-input.ts';
import { CommandError } from './context.ts';
import { ApiUnavailable } from './developer/api-client.ts';

/** Errors whose message says what to do. */
const EXPLAINED = [
  CommandError,
  InvalidArgumentError,
  EnvironmentError,
  MasterKeyError,
  StartError,
  ApiUnavailable,
] as const;

/** What the operator reads of an error: one line, or all of one that is ours to mend. */
export function explainError(error: unknown): unknown {
  const { message } = error as Error;
  if (EXPLAINED.some((kind) => error instanceof kind) || isFileError(error)) return `trilho: ${message}`;
  return isUnavailable(error) ? `trilho: The database does not answer (${message}): try again once it does.` : error;
}
