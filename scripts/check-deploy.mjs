import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { generate } from 'selfsigned';
import { ROOT } from './prepare.mjs';

const DEPLOY = join(ROOT, 'deploy');
const CERTIFICATE = '/etc/letsencrypt/live/pay.example.com/';
const LOG = '/var/log/nginx/';

/**
 * `npm run check:deploy`: has the files of deploy/ loaded by the programs that they are for, as far
 * as those are on this machine, and prints the result of each. Exit code 1: a program rejected its
 * file, or none was there.
 */
const folder = mkdtempSync(join(tmpdir(), 'trilho-deploy-'));
// With Debian's folders of administrators' programs, also for other users.
const env = { ...process.env, PATH: [process.env.PATH, '/usr/sbin', '/sbin'].join(delimiter), NO_COLOR: '1' };
let checked = 0;
let failed = 0;
try {
  for (const [file, program, prepareArgs] of CHECKS()) {
    const args = await prepareArgs(join(DEPLOY, file));
    const { error, status, stdout, stderr } = spawnSync(program, args, { env, cwd: DEPLOY, encoding: 'utf8' });
    if (error?.code === 'ENOENT') {
      console.log(`left out  ${file}: ${program} is not on this machine`);
      continue;
    }
    checked++;
    const isAccepted = status === 0;
    console.log(`${isAccepted ? 'ok       ' : 'REJECTED '} ${file}: ${program} ${args[0]}`);
    if (isAccepted) continue;
    failed++;
    console.log(`${stdout}${stderr}${error?.message ?? ''}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed > 0 || checked === 0 ? 1 : 0;

/**
 * Each file with its program, and a function that prepares what the arguments name and returns
 * them.
 */
function CHECKS() {
  return [
    ['nginx.conf', 'nginx', nginxArgs],
    ['Caddyfile', 'caddy', (path) => ['validate', '--adapter', 'caddyfile', '--config', path]],
    ['haproxy.cfg', 'haproxy', (path) => ['-c', '-f', path]],
    ['patroni.yaml', 'patroni', patroniArgs],
    ['prometheus/rules.yaml', 'promtool', (path) => ['check', 'rules', path]],
    ['prometheus/rules.test.yaml', 'promtool', (path) => ['test', 'rules', path]],
    ['systemd/trilho-web@.service', 'systemd-analyze', (path) => unitArgs(path, 'trilho-web@3000.service')],
    ['systemd/trilho-worker@.service', 'systemd-analyze', (path) => unitArgs(path, 'trilho-worker@1.service')],
    ['Dockerfile', 'hadolint', (path) => ['--failure-threshold', 'info', path]],
    ['create-service-role.sh', 'shellcheck', (path) => ['--severity', 'style', path]],
    ['compose.yaml', 'docker-compose', composeArgs],
  ];
}

/** Writes a whole configuration around the file, with a certificate of its own. */
async function nginxArgs(path) {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'pay.example.com' }]);
  writeFileSync(join(folder, 'fullchain.pem'), cert);
  writeFileSync(join(folder, 'privkey.pem'), key);
  const site = readFileSync(path, 'utf8').replaceAll(CERTIFICATE, `${folder}/`).replaceAll(LOG, `${folder}/`);
  writeFileSync(join(folder, 'site.conf'), site);
  const around = `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { include ${folder}/site.conf; }`;
  writeFileSync(join(folder, 'nginx.conf'), around);
  return ['-t', '-q', '-c', join(folder, 'nginx.conf')];
}

/** Patroni looks for the programs of PostgreSQL where the file says, and connects to nobody. */
function patroniArgs(path) {
  return ['--validate-config', '--ignore-listen-port', path];
}

/** Verifies a template as one of its units, with this Node's program instead of the one in /opt. */
function unitArgs(path, unit) {
  const copy = join(folder, unit);
  writeFileSync(copy, readFileSync(path, 'utf8').replace(/^(ExecStart)=\S+/m, `$1=${process.execPath}`));
  return ['verify', '--man=no', copy];
}

function composeArgs(path) {
  const project = join(folder, 'deploy');
  mkdirSync(project);
  copyFileSync(path, join(project, 'compose.yaml'));
  writeFileSync(
    join(project, '.env'),
    'OWNER_PASSWORD=a\nSERVICE_PASSWORD=b\nTRILHO_SITE=pay.example.com\nMASTER_KEYS=v1:x\nPUBLIC_URL=https://pay.example.com\n',
  );
  return ['--project-directory', project, '--file', join(project, 'compose.yaml'), 'config', '--quiet'];
}
