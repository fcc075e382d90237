import { randomBytes } from 'node:crypto';
import {
  claimOperatorTotpStep,
  confirmOperatorSession,
  findOperatorBy,
  insertOperatorSession,
  type OperatorRow,
  replaceOperatorHash,
  type SignedInOperator,
} from '#db/operators/operators.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { hashLoginSecret } from '#domain/members/hash-login-secret.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Origin } from '../api-keys/principal.ts';
import { INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { RejectionAudit } from '../audit/rejection-audit.ts';
import type { Deps } from '../deps.ts';
import { passwordHashing } from '../members/password-hashing.ts';
import { renewHash } from '../members/renew-hash.ts';
import { createDeviceCookies } from '../sign-in/device-cookies.ts';
import { demandNoWait, type GuessLimits } from '../sign-in/guess-limits.ts';
import { totpStep } from '../sign-in/totp-step.ts';
import { openTotpSecret } from './manage-operators.ts';

/** A working day: whoever can move the money of all accounts signs in each morning. */
const SESSION_MS = 8 * 3_600_000;
/** 256 bits, as members' sessions have. */
const TOKEN_BYTES = 32;

export type OperatorSignIn = {
  /**
   * Begins a session with password and code at once: no half-finished sign-in can be stolen, and no
   * error says which of address, password and code was wrong. `deviceCookie`: that of the browser,
   * null where it has none. Returns the values of the cookies. Errors (DomainError):
   * operator_sign_in_failed, too_many_attempts.
   */
  begin(typed: SignInTyped): Promise<{ token: string; deviceCookie: string }>;
  /**
   * Records in the audit a sign-in that failed for `why`, where the operator is known. Called after
   * the answer, so that its duration does not reveal whether the address is known. Never throws.
   */
  noteFailure(typed: Pick<SignInTyped, 'email' | 'origin'>, why: string): Promise<void>;
  /** Notes that the operator typed a code. Errors: confirmation_failed, too_many_attempts. */
  confirm(operator: SignedInOperator, code: string, origin: Origin): Promise<void>;
};

type SignInTyped = { email: string; password: string; code: string; deviceCookie: string | null; origin: Origin };

export function createOperatorSignIn(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox' | 'log'>,
  limits: GuessLimits,
  rejections: RejectionAudit,
): OperatorSignIn {
  const { db, clock, log } = deps;
  const devices = createDeviceCookies(deps.secretBox);
  let hashOfUnknown: Promise<string> | undefined;

  const isRightCode = async (operator: Pick<OperatorRow, 'id' | 'totpSecret'>, code: string): Promise<boolean> => {
    const step = await totpStep(openTotpSecret(deps, operator), code.replace(/\s/g, ''), clock());
    return step !== null && claimOperatorTotpStep(db, operator.id, step);
  };

  const note = (action: string, email: string, origin: Origin) =>
    rejections.note({ ...INSTALLATION, memberId: null, action, details: { subject: email }, origin });

  return {
    async begin({ email, password, code, deviceCookie, origin }) {
      const login = `operator ${email}`;
      const device = devices.read(deviceCookie, login);
      const attempt = { login, address: origin.ipAddress ?? '', device };
      demandNoWait(await limits.takeSignIn(attempt));
      const operator = await findOperatorBy(db, { email });
      // An unknown address takes as long as a known one.
      hashOfUnknown ??= passwordHashing.hash(randomBytes(TOKEN_BYTES).toString('base64url'));
      const hash = operator?.passwordHash ?? (await hashOfUnknown);
      const isRight = await passwordHashing.verify({ hash, password }).catch(async (error: unknown) => {
        // The password was not tried, so it does not count as a guess.
        await limits.signInSucceeded(attempt);
        throw error;
      });
      if (!operator || !isRight || operator.disabledAt) throw new DomainError('operator_sign_in_failed');
      demandNoWait(await limits.takeConfirmationGuess(operator.id));
      if (!(await isRightCode(operator, code))) throw new DomainError('operator_sign_in_failed');
      await limits.confirmationSucceeded(operator.id);
      await limits.signInSucceeded(attempt);
      const now = clock();
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const session = {
        id: uuidv7(now),
        operatorId: operator.id,
        tokenHash: hashLoginSecret(token),
        ...origin,
        confirmedAt: now,
        createdAt: now,
        expiresAt: new Date(now.getTime() + SESSION_MS),
      };
      const by = { ...deps, operator: operator.email, origin };
      const audit = operatorEntry(by, INSTALLATION, 'operator.signed_in', {});
      // A new password ends all sessions, so the old one must begin none after it.
      if (!(await insertOperatorSession(db, { ...session, passwordHash: operator.passwordHash }, audit)))
        throw new DomainError('operator_sign_in_failed');
      await renewHash(deps, { hash, password }, (hashes) => replaceOperatorHash(db, operator.id, hashes));
      return { token, deviceCookie: (device !== null && deviceCookie) || devices.issue(login) };
    },
    async noteFailure({ email, origin }, why) {
      try {
        const action = why === 'too_many_attempts' ? 'operator_sign_in.locked' : 'operator_sign_in.failed';
        if (await findOperatorBy(db, { email })) await note(action, email, origin);
      } catch (err) {
        log.error({ err }, 'The audit could not be written.');
      }
    },
    async confirm({ operatorId, sessionId, email }, code, origin) {
      const wait = await limits.takeConfirmationGuess(operatorId);
      if (wait > 0) await note('confirmation.locked', email, origin);
      demandNoWait(wait);
      const operator = await findOperatorBy(db, { id: operatorId });
      if (!operator || !(await isRightCode(operator, code))) {
        await note('confirmation.failed', email, origin);
        throw new DomainError('confirmation_failed');
      }
      await limits.confirmationSucceeded(operatorId);
      await confirmOperatorSession(db, sessionId, clock());
    },
  };
}
