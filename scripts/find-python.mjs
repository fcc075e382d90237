import { spawnSync } from 'node:child_process';
import { installDebianPackages } from './debian-packages.mjs';

/** The oldest that is still maintained, and Debian 12's. The library has the same. */
const OLDEST = [3, 11];
const NAMES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];
/** Debian has the modules for virtual environments in a package of their own. */
const DEBIANS = ['python3', 'python3-venv'];
const IS_FIT = `import sys, ensurepip, venv; sys.exit(sys.version_info < (${OLDEST.join(', ')}))`;

/**
 * Finds a Python that makes virtual environments, and installs Debian's if there is none.
 * `PYTHON_PATH` names another. Returns its name or path. Throws an error that names all that was
 * tried.
 */
export async function findPython(say, env = process.env) {
  const given = env.PYTHON_PATH;
  const tried = given ? [given] : [...NAMES];
  const isFit = (name) => spawnSync(name, ['-c', IS_FIT], { env, stdio: 'ignore' }).status === 0;
  const found = tried.find(isFit);
  if (found) return found;
  if (!given) {
    say(`No Python ${OLDEST.join('.')} with venv yet: trying Debian's packages ${DEBIANS.join(', ')}`);
    const failure = await installDebianPackages(DEBIANS, say, env);
    if (!failure && isFit(NAMES[0])) return NAMES[0];
    tried.push(`Debian's packages (${failure ?? 'installed, but too old'})`);
  }
  throw new Error(
    `No Python ${OLDEST.join('.')} or later with venv. Install one, or set PYTHON_PATH. Tried: ${tried.join(', ')}`,
  );
}
