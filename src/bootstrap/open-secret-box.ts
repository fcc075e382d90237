import { accessSync, constants } from 'node:fs';
import { type Environment, EnvironmentError } from '#config/environment.ts';
import { makeFolder } from '#config/make-folder.ts';
import { hasMasterKeys, readMasterKeys } from '#config/master-keys.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';
import { hadDatabase } from '#postgres/embedded-postgres.ts';

/**
 * Opens the secret box with the installation's master keys, which a first start makes in the data
 * folder. Throws EnvironmentError when the keys or the folder can't be used, and where the keys of
 * the folder's database are missing: fresh ones would open nothing of it.
 */
export function openSecretBox(env: Environment): SecretBox {
  if (!env.databaseUrl && !hasMasterKeys(env) && hadDatabase(env.home)) {
    throw new EnvironmentError(
      `The master keys of the database in ${env.home} are missing: put your copy of the file master-keys back there, or give it as MASTER_KEYS.`,
    );
  }
  return createSecretBox(readKeys(env));
}

function readKeys(env: Environment): string {
  try {
    makeFolder(env.home);
    accessSync(env.home, constants.W_OK | constants.X_OK);
    return readMasterKeys(env);
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new EnvironmentError(
      `The data folder ${env.home} can't be written (${code}): give this user the right to, free some space, or set TRILHO_HOME to another folder.`,
    );
  }
}
