import { StartError } from '#db/start-error.ts';
import { MasterKeyError } from '#services/check-master-keys.ts';
import { EnvironmentError } from '../environment.ts';
import { CommandError } from './context.ts';
import { createProgram } from './program.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  const told = [CommandError, EnvironmentError, MasterKeyError, StartError].some((kind) => error instanceof kind);
  console.error(told ? `trilho: ${(error as Error).message}` : error);
  process.exitCode = 1;
}
