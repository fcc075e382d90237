import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#domain/errors/start-error.ts';
import { dataFolder, type Place, SERVER_ENVIRONMENT } from './embedded-postgres-place.ts';
import { OWNER_ROLE } from './embedded-postgres-server.ts';
import { lastFatal } from './last-fatal.ts';
import { markUnfinished } from './unfinished-restore.ts';

/**
 * Creates the data folder unless it exists. It is built in a draft folder and renamed, so that a
 * killed start leaves no incomplete one. `isUnfinished`: for a restore, no service may serve it
 * yet. Throws StartError START_FAILED with initdb's reason.
 */
export async function createData(
  place: Place,
  password: string,
  { isUnfinished }: { isUnfinished: boolean },
): Promise<void> {
  const data = dataFolder(place);
  if (existsSync(data)) return;
  removeDrafts(place);
  const draft = draftFolder(place);
  const passwordFile = `${draft}.password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (place.account) chownSync(passwordFile, place.account.uid, place.account.gid);
  try {
    await initdb(place, draft, passwordFile);
    if (isUnfinished) markUnfinished(draft);
    renameSync(draft, data);
    fsyncFolder(place.folder);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Where a database is made before it gets its name. */
export const draftFolder = (place: Place): string => join(place.folder, `data.${process.pid}`);

/** Removes what processes left behind that were killed while they made a database. */
export function removeDrafts(place: Place): void {
  for (const name of readdirSync(place.folder)) {
    if (name.startsWith('data.')) rmSync(join(place.folder, name), { recursive: true, force: true });
  }
}

async function initdb(place: Place, data: string, passwordFile: string): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    `--username=${OWNER_ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ];
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
  const child = spawn(place.initdb, args, {
    ...place.account,
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close').catch((error) => {
    errors += error.message;
    return [1];
  });
  if (code === 0) return;
  throw new StartError('START_FAILED', `The database could not be created in ${place.folder}: ${initdbReason(errors)}`);
}

/** After the reason initdb adds that the server it started has ended, and that it cleaned up. */
const AFTER_THE_REASON = /^(initdb: removing|child process )/;

const initdbReason = (errors: string): string =>
  lastFatal(
    errors
      .split('\n')
      .filter((line) => !AFTER_THE_REASON.test(line))
      .join('\n'),
  );

/** Makes a rename last through a power cut. */
function fsyncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
