import { randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { sealContext } from '#db/encryption/sealed-columns.ts';
import {
  changeOperator,
  findOperatorBy,
  insertOperator,
  listOperators,
  type OperatorRow,
} from '#db/operators/operators.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { type AsOperator, INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { passwordHashing } from '../members/password-hashing.ts';
import { totpCode } from '../sign-in/totp-step.ts';

/** The command line, where operators are made, has these beside a running service. */
type OperatorDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'> & AsOperator;

/** 128 random bits: it is kept in a password manager, and is on no list. */
const PASSWORD_BYTES = 16;
/** As long as HMAC-SHA1's output (RFC 4226 section 4, R6). */
const TOTP_BYTES = 20;

/**
 * What an operator signs in with. It is shown once: the database has a hash of the password, and
 * the key sealed.
 */
export type OperatorLogin = {
  operatorId: string;
  email: string;
  password: string;
  /** The authenticator app's key, in base32. */
  authenticatorKey: string;
  /** The key as a link (otpauth://), which apps also read from a QR code. */
  authenticatorUrl: string;
};

/** Makes an operator. Null: the address has one already. */
export async function createOperator(
  deps: OperatorDeps,
  { name, email }: { name: string; email: string },
): Promise<OperatorLogin | null> {
  const now = deps.clock();
  const id = uuidv7(now);
  const { login, row } = await newLogin(deps, id, email);
  const audit = operatorEntry(deps, INSTALLATION, 'operator.created', { subject: email });
  return (await insertOperator(deps.db, { id, name, email, ...row, createdAt: now }, audit)) ? login : null;
}

/**
 * Gives an operator a new password and a new authenticator key, and ends their sessions. A disabled
 * one is enabled again. Null: there is no such operator.
 */
export async function resetOperator(deps: OperatorDeps, email: string): Promise<OperatorLogin | null> {
  const operator = await findOperatorBy(deps.db, { email });
  if (!operator) return null;
  const { login, row } = await newLogin(deps, operator.id, email);
  const audit = operatorEntry(deps, INSTALLATION, 'operator.reset', { subject: email });
  // The time steps that were used are those of the old key.
  await changeOperator(deps.db, operator.id, { ...row, lastTotpStep: null, disabledAt: null }, audit);
  return login;
}

/**
 * Ends an operator's sessions, and keeps them from signing in. False: there is no such operator.
 */
export async function disableOperator(deps: OperatorDeps, email: string): Promise<boolean> {
  const operator = await findOperatorBy(deps.db, { email });
  if (!operator) return false;
  const audit = operatorEntry(deps, INSTALLATION, 'operator.disabled', { subject: email });
  await changeOperator(deps.db, operator.id, { disabledAt: deps.clock() }, audit);
  return true;
}

export type ListedOperator = Pick<OperatorRow, 'id' | 'name' | 'email' | 'disabledAt' | 'createdAt'>;

export const listAllOperators = async ({ db }: Pick<Deps, 'db'>): Promise<ListedOperator[]> =>
  (await listOperators(db)).map(({ id, name, email, disabledAt, createdAt }) => ({
    ...{ id, name, email, disabledAt, createdAt },
  }));

/**
 * The code that an operator's authenticator app shows now, computed from the stored key, because a
 * demonstration has no app. Null: there is no such operator.
 */
export async function currentOperatorCode(deps: OperatorDeps, email: string): Promise<string | null> {
  const operator = await findOperatorBy(deps.db, { email });
  return operator && totpCode(openTotpSecret(deps, operator), deps.clock());
}

/** The key of an operator's authenticator app. */
export const openTotpSecret = (
  { secretBox }: Pick<Deps, 'secretBox'>,
  { id, totpSecret }: Pick<OperatorRow, 'id' | 'totpSecret'>,
): string => secretBox.open(totpSecret, sealContext('operators.totp_secret', { id }));

async function newLogin({ secretBox }: OperatorDeps, id: string, email: string) {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const secret = randomBytes(TOTP_BYTES).toString('hex');
  const login: OperatorLogin = {
    operatorId: id,
    email,
    password,
    authenticatorKey: base32.encode(secret, { padding: false }),
    authenticatorUrl: createOTP(secret).url('Trilho', email),
  };
  const passwordHash = await passwordHashing.hash(password);
  return {
    login,
    row: { passwordHash, totpSecret: secretBox.seal(secret, sealContext('operators.totp_secret', { id })) },
  };
}
