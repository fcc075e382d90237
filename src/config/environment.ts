import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { CONNECTIONS_MIN } from '#db/tasks/lanes.ts';
import { DEFAULT_LIMITS, parseDefaultLimits } from '#domain/accounts/default-limits.ts';
import { parseBackupTimes } from '#domain/backup/backup-times.ts';
import { PASSPHRASE_LENGTH_MIN, parsePassphrase } from '#domain/backup/passphrase.ts';
import { INVOICE_EXPIRES_IN } from '#domain/charges/expires-in.ts';
import { RETENTION_YEARS_DEFAULT, RETENTION_YEARS_MAX, RETENTION_YEARS_MIN } from '#domain/customers/retention.ts';
import { createSecretBox } from '#domain/encryption/secret-box.ts';
import { PLISIO_BASE_URL } from '#domain/providers/plisio-base-url.ts';
import { parseEmail } from '#domain/values/contact.ts';
import { SANDBOX_MOUNT } from './sandbox-account.ts';

/**
 * The one place that reads the environment. `.env.example` lists every variable; a test says when
 * the two differ.
 */

/** A variable is wrong: the message is one line that says what to do. */
export class EnvironmentError extends Error {}

const CHECKOUT = join(import.meta.dirname, '../..');

/** API Pix's own default (calendario.expiracao): a day. */
const CHARGE_EXPIRY_SECONDS_DEFAULT = 86_400;
/** Above a year a charge is a mistake. */
const CHARGE_EXPIRY_SECONDS_MAX = 366 * 86_400;

/**
 * The price moves while the payer decides: long enough for a person to pay, short enough for the
 * risk.
 */
const INVOICE_EXPIRY_SECONDS_DEFAULT = 3_600;

/**
 * Of these, writes of accounts get eight at most (lanes.ts): a hot row gets slower with more, not
 * faster (2,400 postings/s with 8, 850 with 100).
 */
export const DATABASE_CONNECTIONS_DEFAULT = 16;

/** Too long to be guessed. */
const METRICS_TOKEN_LENGTH_MIN = 16;

/** One address, alone or behind a name: without one, a mail would go out without a sender. */
const MAIL_SENDER = /^(?:[^<>]*<[^<>,@\s]+@[^<>,@\s]+>|[^<>,@\s]+@[^<>,@\s]+)$/;

/** At night in Brazil. */
const BACKUP_AT_DEFAULT = '03:00';
const BACKUP_KEEP_DAYS_DEFAULT = 30;
/** Above ten years it is an archive. */
const BACKUP_KEEP_DAYS_MAX = 3_660;

const RATE_LIMIT_PER_KEY_DEFAULT = 6_000;
const RATE_LIMIT_FAILED_KEYS_DEFAULT = 300;
/** Fifty queries a second: 250 payers behind one address whose pages poll every five seconds. */
const RATE_LIMIT_ANONYMOUS_DEFAULT = 3_000;
/** A sign-in costs thirty points, and its second factor thirty more. */
const RATE_LIMIT_ANONYMOUS_MIN = 60;

const url = (protocols: RegExp, accepts: (parsed: URL, text: string) => boolean = () => true) =>
  z
    .url({ protocol: protocols })
    .refine((text) => !URL.canParse(text) || accepts(new URL(text), text))
    .transform((text) => text.replace(/\/+$/, ''))
    .optional();
/** The beginning of the addresses of an API: its paths are appended. */
const base = (protocols: RegExp) =>
  url(protocols, ({ search, hash, username, password }) =>
    [search, hash, username, password].every((one) => one === ''),
  );
/**
 * A server, or what says where one is: without either, `pg` would take the one of this machine. A
 * socket's folder is in the query.
 */
const database = url(
  /^postgres(ql)?$/,
  ({ host, pathname, search }, text) =>
    /^[a-z]+:\/\//i.test(text) && [host, pathname.replaceAll('/', ''), search].some((one) => one !== ''),
);
const mailServer = url(/^smtps?$/, ({ hostname }) => hostname !== '');
/**
 * An address without a path, as browsers write an origin: links, cookies and passkeys are of it,
 * and the pages are at its top.
 */
const origin = url(/^https?$/).transform((text, check) => {
  if (text === undefined) return undefined;
  const parsed = new URL(text);
  if (parsed.href === `${parsed.origin}/`) return parsed.origin;
  check.addIssue({ code: 'custom', message: 'not an origin' });
  return z.NEVER;
});
const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((text) => text === 'true' || text === '1')
  .optional();
const whole = (min: number, max: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max));
/**
 * One line as it is meant: a file of variables keeps the quotes around a value, and a secret that
 * is read from a file may end with the line.
 */
const line = z.string().refine((text) => text === text.trim() && !/\p{Cc}/u.test(text) && !/^(["']).*\1$/u.test(text));
/** What is sent in a header: no other character arrives there as it was typed. */
const headerText = line.regex(/^[\x20-\x7e]+$/);
/** A path; its text is read at start, so that a missing file is reported at once. */
const file = z
  .string()
  .transform((path, check) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      check.addIssue({ code: 'custom', message: 'no such file, or it can’t be read' });
      return z.NEVER;
    }
  })
  .optional();

/** A text that `parse` of the domain reads; it returns null for a text that is not valid. */
const readBy = <T>(parse: (text: string) => T | null) =>
  z.string().transform((text, check) => {
    const value = parse(text);
    if (value !== null) return value;
    check.addIssue({ code: 'custom', message: 'not readable' });
    return z.NEVER;
  });
/** A home folder's `~` is the shell's: here it would be the name of a new folder. */
const folder = line.refine((text) => !text.startsWith('~')).transform((text) => resolve(CHECKOUT, text));

const VARIABLES = {
  ROLE: z.enum(['all', 'web', 'worker', 'sandbox']).default('all'),
  PORT: whole(0, 65_535).default(3000),
  HOST: line.default('127.0.0.1'),
  OPERATIONS_PORT: whole(0, 65_535).optional(),
  OPERATIONS_HOST: line.default('127.0.0.1'),
  METRICS_TOKEN: headerText.min(METRICS_TOKEN_LENGTH_MIN).optional(),
  PUBLIC_URL: origin,
  TRILHO_HOME: folder.default(join(CHECKOUT, '.trilho')),
  DATABASE_URL: database,
  DATABASE_DIRECT_URL: database,
  DATABASE_OWNER_URL: database,
  SYSTEM_CHANGES: z.enum(['allow', 'refuse']).default('allow'),
  DATABASE_CONNECTIONS: whole(CONNECTIONS_MIN, 100).default(DATABASE_CONNECTIONS_DEFAULT),
  MASTER_KEYS: z.string().refine(areMasterKeys).optional(),
  DEMO: flag,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
  CHARGE_EXPIRY_SECONDS: whole(1, CHARGE_EXPIRY_SECONDS_MAX).default(CHARGE_EXPIRY_SECONDS_DEFAULT),
  INVOICE_EXPIRY_SECONDS: whole(INVOICE_EXPIRES_IN.min, INVOICE_EXPIRES_IN.max).default(INVOICE_EXPIRY_SECONDS_DEFAULT),
  DEFAULT_LIMITS: readBy(parseDefaultLimits).optional(),
  PERSONAL_DATA_RETENTION_YEARS: whole(RETENTION_YEARS_MIN, RETENTION_YEARS_MAX).default(RETENTION_YEARS_DEFAULT),
  RATE_LIMIT_PER_KEY: whole(1, 10_000_000).default(RATE_LIMIT_PER_KEY_DEFAULT),
  RATE_LIMIT_FAILED_KEYS: whole(1, 10_000_000).default(RATE_LIMIT_FAILED_KEYS_DEFAULT),
  RATE_LIMIT_ANONYMOUS: whole(RATE_LIMIT_ANONYMOUS_MIN, 10_000_000).default(RATE_LIMIT_ANONYMOUS_DEFAULT),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .refine((ranges) => ranges.every(isAddressRange)),
  SMTP_URL: mailServer,
  MAIL_FROM: line.max(320).regex(MAIL_SENDER).default('Trilho <trilho@localhost>'),
  OPERATOR_EMAIL: readBy(parseEmail).optional(),
  BACKUP_FOLDER: folder.optional(),
  BACKUP_AT: readBy(parseBackupTimes).default(parseBackupTimes(BACKUP_AT_DEFAULT) ?? []),
  BACKUP_KEEP_DAYS: whole(1, BACKUP_KEEP_DAYS_MAX).default(BACKUP_KEEP_DAYS_DEFAULT),
  BACKUP_POINT_IN_TIME: flag,
  BACKUP_PASSPHRASE_FILE: file.pipe(readBy(parsePassphrase).optional()),
  SANDBOX_URL: base(/^https?$/),
  PIX_PSP_URL: base(/^https$/),
  PIX_CLIENT_ID: line.optional(),
  PIX_CLIENT_SECRET: line.optional(),
  PIX_KEY: line.max(77).optional(),
  PIX_CERT_FILE: file,
  PIX_CERT_KEY_FILE: file,
  PIX_CA_FILE: file,
  PIX_PAYOUT_URL: base(/^https$/),
  PLISIO_API_KEY: line.optional(),
  PLISIO_URL: base(/^https$/),
  TRILHO_API_KEY: headerText.optional(),
  TRILHO_URL: base(/^https?$/),
  REQUIRE_OWN_CREDENTIALS: flag,
} as const;

/** What the PSP of PIX_PSP_URL gave the operator. */
const OF_THE_PSP = [
  'PIX_CLIENT_ID',
  'PIX_CLIENT_SECRET',
  'PIX_KEY',
  'PIX_CERT_FILE',
  'PIX_CERT_KEY_FILE',
  'PIX_CA_FILE',
  'PIX_PAYOUT_URL',
] as const;

/**
 * An operator who sets one of these does more than try Trilho out, and has to say whether the money
 * is real: no default is right for both.
 */
const REAL = ['DATABASE_URL', 'PIX_PSP_URL', ...OF_THE_PSP, 'PLISIO_API_KEY', 'PLISIO_URL'] as const;

/** What means nothing without the variable that names the provider, which a typing error loses. */
const PROVIDER_OF = [
  ...OF_THE_PSP.map((name) => [name, 'PIX_PSP_URL'] as const),
  ['PLISIO_URL', 'PLISIO_API_KEY'],
] as const;

export const VARIABLE_NAMES = Object.keys(VARIABLES);

/** For a text that is taken as it is. */
const AS_MEANT = 'in one line, without quotes or spaces around it';

/**
 * What a variable must be, for one whose value does not fit; a secret's value is never repeated.
 */
const EXPECTED: Record<keyof typeof VARIABLES, string> = {
  ROLE: 'one of all, web, worker, sandbox',
  PORT: 'a number from 0 to 65535',
  HOST: `an address of this machine such as 127.0.0.1 or 0.0.0.0, ${AS_MEANT}`,
  OPERATIONS_HOST: `an address of this machine such as 127.0.0.1, ${AS_MEANT}`,
  TRILHO_HOME: `the path of a folder such as /var/lib/trilho, ${AS_MEANT}, and without ~`,
  OPERATIONS_PORT: 'a number from 0 to 65535',
  METRICS_TOKEN: `a secret of at least ${METRICS_TOKEN_LENGTH_MIN} characters of ASCII, ${AS_MEANT}`,
  PUBLIC_URL: 'an http or https address without a path, such as https://pay.example.com',
  DATABASE_URL: 'an address such as postgres://user:password@host:5432/trilho',
  DATABASE_DIRECT_URL: 'an address such as postgres://user:password@host:5432/trilho',
  DATABASE_OWNER_URL: 'an address such as postgres://owner:password@host:5432/trilho',
  SYSTEM_CHANGES: 'allow or refuse',
  DATABASE_CONNECTIONS: `a number from ${CONNECTIONS_MIN} to 100`,
  MASTER_KEYS: 'v1:<base64 of 32 bytes>, newer keys in front, separated by commas',
  DEMO: 'true or false',
  DEFAULT_LIMITS: 'limits in BRL such as maximal_value_out_pix=20000.00,night_limit_out_pix=none, or none',
  LOG_LEVEL: 'one of trace, debug, info, warn, error, silent',
  CHARGE_EXPIRY_SECONDS: `a number of seconds from 1 to ${CHARGE_EXPIRY_SECONDS_MAX}`,
  PERSONAL_DATA_RETENTION_YEARS: `a number of years from ${RETENTION_YEARS_MIN} to ${RETENTION_YEARS_MAX}`,
  INVOICE_EXPIRY_SECONDS: `a number of seconds from ${INVOICE_EXPIRES_IN.min} to ${INVOICE_EXPIRES_IN.max}`,
  RATE_LIMIT_PER_KEY: 'a number of requests a minute, at least 1',
  RATE_LIMIT_FAILED_KEYS: 'a number of failed keys a minute, at least 1',
  RATE_LIMIT_ANONYMOUS: `a number of points a minute, at least ${RATE_LIMIT_ANONYMOUS_MIN}`,
  TRUSTED_PROXIES: 'addresses or ranges such as 10.0.0.0/8, separated by commas',
  SMTP_URL: 'an address such as smtp://user:password@mail.example.com:587',
  MAIL_FROM: 'a sender such as Loja Azul <pagamentos@loja.example>',
  OPERATOR_EMAIL: 'an address such as operador@loja.example',
  BACKUP_FOLDER: `the path of a folder such as /mnt/backup, ${AS_MEANT}, and without ~`,
  BACKUP_AT: 'times of the day in São Paulo such as 03:00 or 03:00,15:00',
  BACKUP_KEEP_DAYS: `a number of days from 1 to ${BACKUP_KEEP_DAYS_MAX}`,
  BACKUP_POINT_IN_TIME: 'true or false',
  BACKUP_PASSPHRASE_FILE: `the path of a readable file whose first line has at least ${PASSPHRASE_LENGTH_MIN} characters`,
  SANDBOX_URL: `the http or https address of a sandbox, with its path, such as http://127.0.0.1:3001${SANDBOX_MOUNT}`,
  PIX_PSP_URL: 'the https address of the PSP’s API Pix',
  PIX_CLIENT_ID: `the client that the PSP gave, ${AS_MEANT}`,
  PIX_CLIENT_SECRET: `the secret that the PSP gave, ${AS_MEANT}`,
  PIX_KEY: `a PIX key of at most 77 characters, ${AS_MEANT}`,
  PIX_CERT_FILE: 'the path of a readable PEM file',
  PIX_CERT_KEY_FILE: 'the path of a readable PEM file',
  PIX_CA_FILE: 'the path of a readable PEM file',
  PIX_PAYOUT_URL: 'the https address of Efí’s API for sending PIX',
  PLISIO_API_KEY: `the key of a Plisio shop, ${AS_MEANT}`,
  PLISIO_URL: 'an https address such as https://api.plisio.net/api/v1',
  TRILHO_API_KEY: `an API key such as tr_test_…, ${AS_MEANT}`,
  TRILHO_URL: 'an http or https address such as https://pay.example.com',
  REQUIRE_OWN_CREDENTIALS: 'true or false',
};

export type PspSettings = {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  pixKey: string;
  tls: { cert: string; key: string; ca?: string };
};

export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Reads and checks the environment; an empty variable counts as absent. Throws EnvironmentError.
 */
export function readEnvironment(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, source[name] || undefined]));
  const parsed = z.object(VARIABLES).safeParse(given);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0]) as keyof typeof VARIABLES;
    throw new EnvironmentError(`The variable ${name} must be ${EXPECTED[name]}: change it and start again.`);
  }
  const env = parsed.data;
  rejectIncomplete(given, env);
  const demo = env.DEMO ?? true;
  return {
    role: env.ROLE,
    port: env.PORT,
    host: env.HOST,
    /** Null: the metrics and the sandbox are on the port of everything else, as a demo has them. */
    operations:
      demo && env.OPERATIONS_PORT === undefined ? null : { port: env.OPERATIONS_PORT ?? 0, host: env.OPERATIONS_HOST },
    metricsToken: env.METRICS_TOKEN,
    publicUrl: env.PUBLIC_URL,
    /** For `trilho listen` and `trilho trigger`: the API that they use, and their key. */
    apiUrl: env.TRILHO_URL,
    apiKey: env.TRILHO_API_KEY,
    home: env.TRILHO_HOME,
    databaseUrl: env.DATABASE_URL,
    /** `databaseUrl` past a pooler: for what a session holds beyond a transaction. */
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? env.DATABASE_URL,
    /**
     * For the role that owns the database, migrates it, and grants the role of `databaseUrl` its
     * rights.
     */
    databaseOwnerUrl: env.DATABASE_OWNER_URL,
    /** Whether a start as root may add the system user that the embedded PostgreSQL runs as. */
    mayAddUser: env.SYSTEM_CHANGES === 'allow',
    databaseConnections: env.DATABASE_CONNECTIONS,
    masterKeys: env.MASTER_KEYS,
    demo,
    logLevel: env.LOG_LEVEL,
    chargeExpirySeconds: env.CHARGE_EXPIRY_SECONDS,
    invoiceExpirySeconds: env.INVOICE_EXPIRY_SECONDS,
    retentionYears: env.PERSONAL_DATA_RETENTION_YEARS,
    /** In centavos: for every account that has none of its own. */
    defaultLimits: env.DEFAULT_LIMITS ?? DEFAULT_LIMITS,
    rateLimits: {
      perKeyAMinute: env.RATE_LIMIT_PER_KEY,
      failedPerAddressAMinute: env.RATE_LIMIT_FAILED_KEYS,
      anonymousPerAddressAMinute: env.RATE_LIMIT_ANONYMOUS,
    },
    trustedProxies: env.TRUSTED_PROXIES,
    /** Without it, mail goes into a folder. */
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    /** Null: no backups are taken by a schedule. */
    backups: backupSchedule(env),
    sandboxUrl: env.SANDBOX_URL,
    psp: pspSettings(env),
    /** Where PIX is sent with the PSP's credentials, as Efí does it. */
    payoutUrl: env.PIX_PAYOUT_URL,
    /** Live accounts take and send money over credentials of their own alone. */
    requireOwnCredentials: env.REQUIRE_OWN_CREDENTIALS ?? false,
    plisio: env.PLISIO_API_KEY ? { apiKey: env.PLISIO_API_KEY, baseUrl: env.PLISIO_URL ?? PLISIO_BASE_URL } : null,
  };
}

/** Throws EnvironmentError where a variable needs another one that is not given. */
function rejectIncomplete(
  given: Readonly<Record<string, string | undefined>>,
  env: z.infer<z.ZodObject<typeof VARIABLES>>,
): void {
  const real = REAL.find((name) => given[name] !== undefined);
  if (real !== undefined && env.DEMO === undefined) {
    throw new EnvironmentError(
      `With ${real} say what this installation is: set DEMO=false for real money, DEMO=true for a demonstration.`,
    );
  }
  const alone = PROVIDER_OF.find(([name, needed]) => given[name] !== undefined && given[needed] === undefined);
  if (alone !== undefined) {
    throw new EnvironmentError(`With ${alone[0]} set ${alone[1]} too: without it there is no such provider.`);
  }
  if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined) {
    throw new EnvironmentError('With DATABASE_DIRECT_URL set DATABASE_URL too: both name one database.');
  }
}

function backupSchedule(env: z.infer<z.ZodObject<typeof VARIABLES>>) {
  const pointInTime = env.BACKUP_POINT_IN_TIME ?? false;
  if (pointInTime && (env.BACKUP_FOLDER === undefined || env.DATABASE_URL !== undefined)) {
    throw new EnvironmentError(
      'BACKUP_POINT_IN_TIME is for the embedded PostgreSQL and needs BACKUP_FOLDER: set that, or archive the log of your own server with its own means.',
    );
  }
  if (env.BACKUP_FOLDER === undefined) return null;
  return {
    folder: env.BACKUP_FOLDER,
    times: env.BACKUP_AT,
    keepDays: env.BACKUP_KEEP_DAYS,
    pointInTime,
    passphrase: env.BACKUP_PASSPHRASE_FILE ?? null,
    notify: env.OPERATOR_EMAIL,
  };
}

function pspSettings(env: z.infer<z.ZodObject<typeof VARIABLES>>): PspSettings | null {
  if (env.PIX_PSP_URL === undefined) return null;
  const required = {
    clientId: env.PIX_CLIENT_ID,
    clientSecret: env.PIX_CLIENT_SECRET,
    pixKey: env.PIX_KEY,
    cert: env.PIX_CERT_FILE,
    key: env.PIX_CERT_KEY_FILE,
  };
  const { clientId, clientSecret, pixKey, cert, key } = required;
  if (!clientId || !clientSecret || !pixKey || !cert || !key) {
    throw new EnvironmentError(
      'With PIX_PSP_URL these are needed too: PIX_CLIENT_ID, PIX_CLIENT_SECRET, PIX_KEY, PIX_CERT_FILE, PIX_CERT_KEY_FILE.',
    );
  }
  const ca = env.PIX_CA_FILE;
  return { baseUrl: env.PIX_PSP_URL, clientId, clientSecret, pixKey, tls: { cert, key, ...(ca && { ca }) } };
}

function areMasterKeys(text: string): boolean {
  try {
    return createSecretBox(text) !== null;
  } catch {
    return false;
  }
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Reads this process's own environment. Throws EnvironmentError. */
export const processEnvironment = (): Environment => readEnvironment(process.env);
