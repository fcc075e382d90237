import { InvalidArgumentError } from 'commander';
import { EnvironmentError } from '#config/environment.ts';
import { isUnavailable } from '#db/connection/is-unavailable.ts';
import { StartError } from '#domain/errors/start-error.ts';
import { MasterKeyError } from '#services/encryption/check-master-keys.ts';
import { isFileError } from './backup-input.ts';
import { CommandError } from './context.ts';
import { ApiUnavailable } from './developer/api-client.ts';
import { InterruptedError } from './with-own-server.ts';

/** Errors whose message says what to do. */
const EXPLAINED = [
  CommandError,
  InvalidArgumentError,
  EnvironmentError,
  MasterKeyError,
  StartError,
  ApiUnavailable,
  InterruptedError,
] as const;

/**
 * PostgreSQL's codes for a connection that it rejects: invalid_authorization_specification,
 * invalid_password, invalid_catalog_name.
 */
const REJECTED_CONNECTION = ['28000', '28P01', '3D000'];

/** What the operator reads of an error: one line, or all of one that is ours to mend. */
export function explainError(error: unknown): unknown {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  if (EXPLAINED.some((kind) => error instanceof kind) || isFileError(error)) return `trilho: ${message}`;
  if (REJECTED_CONNECTION.includes(code))
    return `trilho: The database of DATABASE_URL can't be used (${code}): ${message}.`;
  return isUnavailable(error) ? `trilho: The database does not answer (${message}): try again once it does.` : error;
}
