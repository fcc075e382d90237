import { randomBytes } from 'node:crypto';
import {
  claimOperatorTotpStep,
  confirmOperatorSession,
  findOperatorBy,
  insertOperatorSession,
  type OperatorRow,
  type SignedInOperator,
} from '#db/operators/operators.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { hashLoginSecret } from '#domain/members/hash-login-secret.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Origin } from '../api-keys/principal.ts';
import { INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { passwordHashing } from '../members/password-hashing.ts';
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
   * error says which of address, password and code was wrong. Returns the cookie's value. Errors
   * (DomainError): operator_sign_in_failed, too_many_attempts.
   */
  begin(typed: { email: string; password: string; code: string; origin: Origin }): Promise<string>;
  /** Notes that the operator typed a code. Errors: confirmation_failed, too_many_attempts. */
  confirm(operator: SignedInOperator, code: string): Promise<void>;
};

export function createOperatorSignIn(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox'>,
  limits: GuessLimits,
): OperatorSignIn {
  const { db, clock } = deps;
  let hashOfUnknown: Promise<string> | undefined;

  const isRightCode = async (operator: Pick<OperatorRow, 'id' | 'totpSecret'>, code: string): Promise<boolean> => {
    const step = await totpStep(openTotpSecret(deps, operator), code.replace(/\s/g, ''), clock());
    return step !== null && claimOperatorTotpStep(db, operator.id, step);
  };

  return {
    async begin({ email, password, code, origin }) {
      const attempt = { login: `operator ${email}`, address: origin.ipAddress ?? '', device: null };
      demandNoWait(await limits.takeSignIn(attempt));
      const operator = await findOperatorBy(db, { email });
      // An unknown address takes as long as a known one.
      hashOfUnknown ??= passwordHashing.hash(randomBytes(TOKEN_BYTES).toString('base64url'));
      const hash = operator?.passwordHash ?? (await hashOfUnknown);
      const isRight = await passwordHashing.verify({ hash, password });
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
      await insertOperatorSession(db, session, operatorEntry(by, INSTALLATION, 'operator.signed_in', {}));
      return token;
    },
    async confirm({ operatorId, sessionId }, code) {
      demandNoWait(await limits.takeConfirmationGuess(operatorId));
      const operator = await findOperatorBy(db, { id: operatorId });
      if (!operator || !(await isRightCode(operator, code))) throw new DomainError('confirmation_failed');
      await limits.confirmationSucceeded(operatorId);
      await confirmOperatorSession(db, sessionId, clock());
    },
  };
}
