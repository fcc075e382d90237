import { accessSync, constants } from 'node:fs';
import { type Environment, EnvironmentError } from '#config/environment.ts';
import { makeFolder } from '#config/make-folder.ts';
import { readMasterKeys } from '#config/master-keys.ts';
import { createSecretBox, type SecretBox } from '#domain/encryption/secret-box.ts';

/**
 * Opens the secret box with the installation's master keys, which a first start makes in the data
 * folder. Throws EnvironmentError when the keys or the folder can't be used.
 */
export function openSecretBox(env: Environment): SecretBox {
  const keys = readKeys(env);
  try {
    return createSecretBox(keys);
  } catch (error) {
    throw new EnvironmentError((error as Error).message);
  }
}

function readKeys(env: Environment): string {
  try {
    makeFolder(env.home);
    accessSync(env.home, constants.W_OK | constants.X_OK);
    return readMasterKeys(env);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EnvironmentError(
      `The data folder ${env.home} can't be written (${code}): give this user the right to, or set TRILHO_HOME to another folder.`,
    );
  }
}
