import { spawn } from 'node:child_process';

/** The registry answers within seconds or not at all; the checks don't wait for it. */
const WAIT_MS = 30_000;
const SEVERE = ['high', 'critical'];

/**
 * Checks the packages that we ship. Fails where the registry knows a severe vulnerability that a
 * release fixes; an outdated package, and a registry that does not answer, are notices. Resolves to
 * whether the check passed.
 */
export async function checkDependencies({ cwd, say }) {
  const [outdated, audit] = await Promise.all([
    ask(['outdated', '--json'], cwd),
    ask(['audit', '--json', '--omit=dev', '--audit-level=high'], cwd),
  ]);
  for (const line of describeOutdated(outdated)) say(line);
  const { isKnown, mendable } = judgeAudit(audit);
  if (!isKnown) say('notice: the registry did not say whether there are security releases.');
  for (const { name, severity, mend } of mendable) say(`${severity}: ${name} has a security release: ${mend}`);
  return mendable.length === 0;
}

/** Reads the output of `npm audit --json`: severe vulnerabilities that a release fixes. */
export function judgeAudit(text) {
  const vulnerabilities = parse(text)?.vulnerabilities;
  if (!vulnerabilities) return { isKnown: false, mendable: [] };
  const mendable = Object.entries(vulnerabilities).flatMap(([name, { severity, fixAvailable }]) => {
    if (!SEVERE.includes(severity) || !fixAvailable) return [];
    const mend = fixAvailable === true ? 'npm audit fix' : `${fixAvailable.name}@${fixAvailable.version}`;
    return [{ name, severity, mend }];
  });
  return { isKnown: true, mendable };
}

/**
 * Reads the output of `npm outdated --json`: a line for each package, without those that this
 * platform does not use.
 */
export function describeOutdated(text) {
  const packages = parse(text);
  if (!packages || packages.error) return ['notice: the registry did not say what is outdated.'];
  return Object.entries(packages).flatMap(([name, { current, latest }]) =>
    current && current !== latest ? [`notice: ${name} ${current} is not the newest, ${latest} is.`] : [],
  );
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Runs npm. Its exit code is ignored, because it is 1 when there are findings; the output counts.
 */
function ask(args, cwd) {
  return new Promise((resolve) => {
    const child = spawn('npm', args, { cwd, stdio: ['ignore', 'pipe', 'ignore'], shell: process.platform === 'win32' });
    let text = '';
    const timer = setTimeout(() => child.kill(), WAIT_MS);
    child.stdout.on('data', (bytes) => {
      text += bytes;
    });
    child.on('error', () => resolve(''));
    child.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
