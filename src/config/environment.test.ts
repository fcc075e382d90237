import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '#domain/accounts/default-limits.ts';
import { generateMasterKeys } from '#domain/encryption/master-keys.ts';
import { EnvironmentError, readEnvironment, VARIABLE_NAMES } from './environment.ts';
import { SANDBOX_MOUNT } from './sandbox-account.ts';

const CHECKOUT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'trilho-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));
const pem = join(folder, 'x.pem');
writeFileSync(pem, 'PEM\n');
const passphraseFile = join(folder, 'passphrase');
writeFileSync(passphraseFile, 'canary passphrase\n');

const PSP = {
  DEMO: 'false',
  PIX_PSP_URL: 'https://psp.example.com/api/',
  PIX_CLIENT_ID: 'trilho',
  PIX_CLIENT_SECRET: 'canary-secret',
  PIX_KEY: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  PIX_CERT_FILE: pem,
  PIX_CERT_KEY_FILE: pem,
};

function rejection(source: Record<string, string>): string {
  try {
    readEnvironment(source);
  } catch (error) {
    expect(error).toBeInstanceOf(EnvironmentError);
    return (error as Error).message;
  }
  throw new Error('It was accepted.');
}

test('.env.example names every variable that is read, once, with a line about it, and no other', () => {
  const lines = readFileSync(join(CHECKOUT, '.env.example'), 'utf8').split('\n');
  const names = lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
  expect(names.toSorted()).toEqual(VARIABLE_NAMES.toSorted());
  const described = lines.flatMap((line, at) =>
    /^# \S.*\S$/.test(lines[at - 1] ?? '') ? (/^([A-Z_]+)=/.exec(line)?.[1] ?? []) : [],
  );
  expect(described).toEqual(names);
});

test('.env.example is an environment that is accepted, and says the defaults', () => {
  const example = Object.fromEntries(
    readFileSync(join(CHECKOUT, '.env.example'), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => line.split('=', 2)),
  );
  expect(readEnvironment(example)).toEqual(readEnvironment({}));
});

test('the address of a sandbox is documented with the path at which a sandbox answers', () => {
  const examples = [
    readFileSync(join(CHECKOUT, '.env.example'), 'utf8').split('\nSANDBOX_URL=')[0]?.split('\n').at(-1) ?? '',
    rejection({ SANDBOX_URL: 'localhost:3001' }),
  ];
  for (const text of examples) expect(text).toContain(`http://127.0.0.1:3001${SANDBOX_MOUNT}`);
});

test('an empty environment is a demo for this machine alone', () => {
  expect(readEnvironment({})).toEqual({
    role: 'all',
    port: 3000,
    host: '127.0.0.1',
    operations: null,
    metricsToken: undefined,
    publicUrl: undefined,
    home: join(CHECKOUT, '.trilho'),
    databaseUrl: undefined,
    mayAddUser: true,
    databaseConnections: 16,
    masterKeys: undefined,
    demo: true,
    logLevel: undefined,
    chargeExpirySeconds: 86_400,
    invoiceExpirySeconds: 3_600,
    defaultLimits: DEFAULT_LIMITS,
    rateLimits: { perKeyAMinute: 6_000, failedPerAddressAMinute: 300, anonymousPerAddressAMinute: 3_000 },
    trustedProxies: [],
    sandboxUrl: undefined,
    psp: null,
    payoutUrl: undefined,
    plisio: null,
    requireOwnCredentials: false,
    retentionYears: 10,
    smtpUrl: undefined,
    mailFrom: 'Trilho <trilho@localhost>',
    backups: null,
  });
});

test('an empty variable counts as absent', () => {
  const empty = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  expect(readEnvironment(empty)).toEqual(readEnvironment({}));
});

test('every variable is read', () => {
  const keys = generateMasterKeys();
  expect(
    readEnvironment({
      ...PSP,
      ROLE: 'web',
      PORT: '8080',
      HOST: '::',
      PUBLIC_URL: 'https://Pay.Example.com:443/',
      TRILHO_HOME: '/var/lib/trilho',
      OPERATIONS_PORT: '9464',
      OPERATIONS_HOST: '10.0.0.1',
      METRICS_TOKEN: 'canary-canary-canary',
      DATABASE_URL: 'postgres://trilho:pass@pooler:6432/trilho',
      DATABASE_DIRECT_URL: 'postgres://trilho:pass@db:5432/trilho',
      SYSTEM_CHANGES: 'refuse',
      DATABASE_CONNECTIONS: '20',
      MASTER_KEYS: keys,
      LOG_LEVEL: 'debug',
      CHARGE_EXPIRY_SECONDS: '600',
      INVOICE_EXPIRY_SECONDS: '900',
      DEFAULT_LIMITS: 'maximal_value_in_crypto=250.5',
      RATE_LIMIT_PER_KEY: '60',
      RATE_LIMIT_FAILED_KEYS: '30',
      RATE_LIMIT_ANONYMOUS: '600',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      SANDBOX_URL: 'http://127.0.0.1:3001/sandbox',
      SMTP_URL: 'smtps://user:pass@mail.example.com:465',
      MAIL_FROM: 'Loja Azul <contato@loja.example>',
      OPERATOR_EMAIL: 'operador@loja.example',
      BACKUP_FOLDER: '/mnt/backup',
      BACKUP_AT: '03:00,15:30',
      BACKUP_KEEP_DAYS: '7',
      BACKUP_PASSPHRASE_FILE: passphraseFile,
      PIX_CA_FILE: pem,
      PIX_PAYOUT_URL: 'https://psp.example.com',
      PLISIO_API_KEY: 'canary-key',
      PLISIO_URL: 'https://plisio.example.com/api/v1/',
      PERSONAL_DATA_RETENTION_YEARS: '5',
      REQUIRE_OWN_CREDENTIALS: 'true',
    }),
  ).toEqual({
    role: 'web',
    port: 8080,
    host: '::',
    operations: { port: 9464, host: '10.0.0.1' },
    metricsToken: 'canary-canary-canary',
    publicUrl: 'https://pay.example.com',
    home: '/var/lib/trilho',
    databaseUrl: 'postgres://trilho:pass@pooler:6432/trilho',
    databaseDirectUrl: 'postgres://trilho:pass@db:5432/trilho',
    mayAddUser: false,
    databaseConnections: 20,
    masterKeys: keys,
    demo: false,
    logLevel: 'debug',
    chargeExpirySeconds: 600,
    invoiceExpirySeconds: 900,
    defaultLimits: { ...DEFAULT_LIMITS, maximal_value_in_crypto: 250_50n },
    rateLimits: { perKeyAMinute: 60, failedPerAddressAMinute: 30, anonymousPerAddressAMinute: 600 },
    trustedProxies: ['10.0.0.0/8', '::1'],
    backups: {
      folder: '/mnt/backup',
      times: [180, 930],
      keepDays: 7,
      pointInTime: false,
      passphrase: 'canary passphrase',
      notify: 'operador@loja.example',
    },
    sandboxUrl: 'http://127.0.0.1:3001/sandbox',
    smtpUrl: 'smtps://user:pass@mail.example.com:465',
    mailFrom: 'Loja Azul <contato@loja.example>',
    payoutUrl: 'https://psp.example.com',
    plisio: { apiKey: 'canary-key', baseUrl: 'https://plisio.example.com/api/v1' },
    requireOwnCredentials: true,
    retentionYears: 5,
    psp: {
      baseUrl: 'https://psp.example.com/api',
      clientId: 'trilho',
      clientSecret: 'canary-secret',
      pixKey: PSP.PIX_KEY,
      tls: { cert: 'PEM\n', key: 'PEM\n', ca: 'PEM\n' },
    },
  });
});

test('DATABASE_DIRECT_URL is DATABASE_URL where it is not set, and an error without DATABASE_URL', () => {
  const DATABASE_URL = 'postgres://trilho:pass@db:5432/trilho';
  expect(readEnvironment({ DATABASE_URL, DEMO: 'true' }).databaseDirectUrl).toBe(DATABASE_URL);
  expect(readEnvironment({}).databaseDirectUrl).toBeUndefined();
  expect(() => readEnvironment({ DATABASE_DIRECT_URL: DATABASE_URL, DEMO: 'true' })).toThrow('set DATABASE_URL too');
});

test.each([
  ['DATABASE_URL', 'postgres://trilho:canary-secret@db/trilho'],
  ['PIX_PAYOUT_URL', 'https://psp.example.com'],
  ['PIX_CLIENT_SECRET', 'canary-secret'],
  ['PIX_KEY', 'canary-secret'],
  ['PLISIO_API_KEY', 'canary-secret'],
  ['PLISIO_URL', 'https://plisio.example.com'],
])('an operator who sets %s has to say whether the money is real', (name, value) => {
  const message = rejection({ [name]: value });
  expect(message).toBe(
    `With ${name} say what this installation is: set DEMO=false for real money, DEMO=true for a demonstration.`,
  );
  const rest = { ...PSP, PLISIO_API_KEY: 'canary-key', [name]: value };
  expect(readEnvironment({ ...rest, DEMO: 'false' }).demo).toBe(false);
  expect(readEnvironment({ ...rest, DEMO: '1' }).demo).toBe(true);
});

test('an installation with a PSP is a demo only when it says so', () => {
  expect(rejection({ ...PSP, DEMO: '' })).toContain('DEMO=false');
  expect(readEnvironment(PSP).demo).toBe(false);
  expect(readEnvironment({ ...PSP, DEMO: 'true' }).demo).toBe(true);
  expect(readEnvironment({ DEMO: '0' }).demo).toBe(false);
});

test('an archive of the log is for the embedded server, and needs a folder', () => {
  const archive = { BACKUP_POINT_IN_TIME: 'true', BACKUP_FOLDER: '/mnt/backup' };
  expect(readEnvironment(archive).backups?.pointInTime).toBe(true);
  expect(rejection({ ...archive, BACKUP_FOLDER: '' })).toContain('BACKUP_FOLDER');
  const own = { DATABASE_URL: 'postgres://trilho:pass@db:5432/trilho', DEMO: 'false' };
  expect(rejection({ ...archive, ...own })).toContain('embedded PostgreSQL');
});

test('metrics and sandbox have a listener of their own, unless this is a demo without OPERATIONS_PORT', () => {
  expect(readEnvironment({}).operations).toBeNull();
  expect(readEnvironment({ OPERATIONS_PORT: '9464' }).operations).toEqual({ port: 9464, host: '127.0.0.1' });
  expect(readEnvironment({ DEMO: 'false' }).operations).toEqual({ port: 0, host: '127.0.0.1' });
});

test('a socket, a host alone, and a folder with spaces and accents are accepted', () => {
  const urls = ['postgres:///trilho?host=/run/postgresql', 'postgresql://db', 'postgres://trilho:p%40ss@db/trilho'];
  for (const url of urls) expect(readEnvironment({ DEMO: 'true', DATABASE_URL: url }).databaseUrl).toBe(url);
  const home = '/srv/meu negócio/dados "de hoje"';
  expect(readEnvironment({ TRILHO_HOME: home }).home).toBe(home);
  expect(readEnvironment({ MAIL_FROM: '"Loja Azul" <loja@azul.example>' }).mailFrom).toContain('"Loja Azul"');
});

test.each<string[]>([
  ['ROLE', 'worker,web'],
  ['ROLE', 'ALL'],
  ['INVOICE_EXPIRY_SECONDS', '59'],
  ['PUBLIC_URL', 'https://pay.example.com/pix'],
  ['PUBLIC_URL', 'https://pay.example.com/?shop=1'],
  ['PUBLIC_URL', 'https://ana:segredo@pay.example.com'],
  ['MAIL_FROM', 'Loja Azul'],
  ['MAIL_FROM', 'contato@loja.example, outro@loja.example'],
  ['RATE_LIMIT_PER_KEY', '0'],
  ['PERSONAL_DATA_RETENTION_YEARS', '4'],
  ['PERSONAL_DATA_RETENTION_YEARS', '31'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', 'proxy.example.com'],
  ['PIX_PAYOUT_URL', 'http://psp.example.com'],
  ['PLISIO_URL', 'plisio'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '3000.5'],
  ['PORT', ' 3000'],
  ['PORT', '0x1F'],
  ['PORT', 'http'],
  ['OPERATIONS_PORT', '70000'],
  ['METRICS_TOKEN', 'canary'],
  ['PUBLIC_URL', 'pay.example.com'],
  ['PUBLIC_URL', 'ftp://pay.example.com'],
  ['DATABASE_URL', 'mysql://root:canary-secret@db/trilho'],
  ['DATABASE_URL', 'canary-secret'],
  ['DATABASE_DIRECT_URL', 'mysql://root:canary-secret@db/trilho'],
  ['DATABASE_CONNECTIONS', '4'],
  ['DATABASE_CONNECTIONS', '101'],
  ['MASTER_KEYS', 'canary-secret'],
  ['MASTER_KEYS', 'v1:Y2FuYXJ5LXNlY3JldA=='],
  ['MASTER_KEYS', `v1:${'A'.repeat(43)}=,canary-secret`],
  ['DEMO', 'yes'],
  ['LOG_LEVEL', 'verbose'],
  ['CHARGE_EXPIRY_SECONDS', '0'],
  ['CHARGE_EXPIRY_SECONDS', '1e9'],
  ['CHARGE_EXPIRY_SECONDS', '99999999'],
  ['SANDBOX_URL', 'localhost:3001'],
  ['PIX_PSP_URL', 'http://psp.example.com'],
  ['PIX_PSP_URL', 'https://user:canary-secret@'],
  ['PIX_KEY', 'canary-secret'.repeat(10)],
  ['PIX_CERT_FILE', join(folder, 'missing-canary-secret.pem')],
  ['PIX_CERT_KEY_FILE', folder],
  ['PIX_CA_FILE', '/dev/null/x'],
  ['OPERATOR_EMAIL', 'canary'],
  ['BACKUP_AT', '3 a.m.'],
  ['BACKUP_KEEP_DAYS', '0'],
  ['BACKUP_POINT_IN_TIME', 'daily'],
  ['BACKUP_PASSPHRASE_FILE', '/dev/null'],
  ['DATABASE_URL', 'postgres://'],
  ['DATABASE_OWNER_URL', 'postgresql:trilho'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp:mail.example.com'],
  ['MAIL_FROM', 'Loja\r\nBcc: canary@loja.example <contato@loja.example>'],
  ['SANDBOX_URL', 'http://127.0.0.1:3001/?shop=canary'],
  ['TRILHO_URL', 'http://ana:canary-secret@127.0.0.1:3000'],
  ['PIX_PAYOUT_URL', 'https://psp.example.com/#canary'],
  ['TRILHO_HOME', '/var/lib/canary\n'],
  ['TRILHO_HOME', '"/var/lib/canary"'],
  ['TRILHO_HOME', ' '],
  ['TRILHO_HOME', '~/canary'],
  ['BACKUP_FOLDER', '~canary/backup'],
  ['METRICS_TOKEN', "'canary-canary-canary'"],
  ['METRICS_TOKEN', 'canary-canary-canário'],
  ...['HOST', 'OPERATIONS_HOST', 'METRICS_TOKEN', 'BACKUP_FOLDER', 'MAIL_FROM', 'PIX_CLIENT_ID', 'PIX_CLIENT_SECRET']
    .concat(['PIX_KEY', 'PLISIO_API_KEY', 'TRILHO_API_KEY'])
    .flatMap((name) => ['canary-canary-canary\n', ' canary-canary-canary'].map((text) => [name, text])),
])('%s=%s is rejected in one line that names it, says what to give, and repeats nothing', (name = '', value = '') => {
  const message = rejection({ ...PSP, [name]: value });
  expect(message).toMatch(new RegExp(`^The variable ${name} must be .+: change it and start again\\.$`));
  expect(message).not.toContain('something else');
  expect(message).not.toMatch(/canary|Y2FuYXJ5/);
  expect(message).not.toContain('\n');
});

test.each(['PIX_CLIENT_ID', 'PIX_CLIENT_SECRET', 'PIX_KEY', 'PIX_CERT_FILE', 'PIX_CERT_KEY_FILE'])(
  'a PSP without %s is rejected in one line that names it',
  (name) => {
    const message = rejection({ ...PSP, [name]: '' });
    expect(message).toContain(name);
    expect(message).not.toMatch(/canary|\n/);
  },
);

test.each([
  ['PIX_CLIENT_ID', 'trilho', 'PIX_PSP_URL'],
  ['PIX_CLIENT_SECRET', 'canary-secret', 'PIX_PSP_URL'],
  ['PIX_KEY', 'canary-secret', 'PIX_PSP_URL'],
  ['PIX_CERT_FILE', pem, 'PIX_PSP_URL'],
  ['PIX_CERT_KEY_FILE', pem, 'PIX_PSP_URL'],
  ['PIX_CA_FILE', pem, 'PIX_PSP_URL'],
  ['PIX_PAYOUT_URL', 'https://psp.example.com', 'PIX_PSP_URL'],
  ['PLISIO_URL', 'https://plisio.example.com', 'PLISIO_API_KEY'],
])('%s, which means nothing alone, is rejected without the variable that it belongs to', (name, value, needed) => {
  expect(rejection({ [name]: value, DEMO: 'false' })).toBe(
    `With ${name} set ${needed} too: without it there is no such provider.`,
  );
});
