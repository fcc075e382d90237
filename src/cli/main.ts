import { EnvironmentError } from '#config/environment.ts';
import { StartError } from '#domain/errors/start-error.ts';
import { MasterKeyError } from '#services/encryption/check-master-keys.ts';
import { CommandError } from './context.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  const isExplained = [CommandError, EnvironmentError, MasterKeyError, StartError].some(
    (kind) => error instanceof kind,
  );
  console.error(isExplained ? `trilho: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
