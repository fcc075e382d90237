import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { DomainError } from '#domain/errors/domain-error.ts';
import { type CounterStore, limiterQuery } from '../requests/limiter-query.ts';

/**
 * Wrong passwords from one address, for any logins, in a quarter of an hour: an office shares one
 * address.
 */
const FAILURES_PER_ADDRESS = 60;
const ADDRESS_SECONDS = 900;
/**
 * Wrong passwords for one login in an hour, from browsers that never signed in there: a botnet gets
 * no more than these.
 */
const FAILURES_PER_LOGIN = 20;
const LOGIN_SECONDS = 3_600;
/** Wrong passwords from a browser that has signed in to that login before. */
const FAILURES_PER_DEVICE = 20;
/**
 * Wrong second factors of a member, wherever one is asked for: at sign-in, and when a sensitive act
 * asks again (or for the password).
 */
const FAILURES_PER_MEMBER = 10;
const MEMBER_SECONDS = 900;
/**
 * How often a day a new password by mail deletes the counted second factors that others guessed: an
 * intruder in the mailbox gains 10 guesses a day.
 */
const FREED_PER_MEMBER = 1;
const FREED_SECONDS = 86_400;
/**
 * Messages to one recipient, and from one client's address (an office shares one) or merchant, an
 * hour: no mailbox is flooded.
 */
const MAILS_PER_RECIPIENT = 5;
const MAILS_PER_ADDRESS = 200;
const MAIL_SECONDS = 3_600;

/**
 * Limits of guesses. A login is limited separately for browsers that have signed in to it before
 * (they hold a device cookie), so that an attacker elsewhere locks out only clients without such a
 * cookie, and never the member at their own browser (OWASP's device cookies). On a new browser the
 * member gets in by a new password over e-mail, or with a passkey.
 */
export type GuessLimits = {
  /**
   * Counts a password that is about to be tried, before the outcome is known, so that guesses at
   * the same time don't get through together. Returns the seconds to wait; 0: try it.
   */
  takeSignIn(attempt: SignInAttempt): Promise<number>;
  /** Takes the count back: the password was right, or was not tried. */
  signInSucceeded(attempt: SignInAttempt): Promise<void>;
  /**
   * Counts a second factor that is about to be tried, at sign-in or in a session, or a password in
   * a session. Returns the seconds to wait; 0: try it.
   */
  takeConfirmationGuess(memberId: string): Promise<number>;
  confirmationSucceeded(memberId: string): Promise<void>;
  /**
   * Called after a new password by mail: guesses of others no longer lock the login. Returns true
   * when its second factor is unlocked too, which is once a day: access to a mailbox must not give
   * more guesses.
   */
  passwordReset(login: string, memberId: string): Promise<boolean>;
  /**
   * Counts a message; `sender`: the client's address, or the merchant. Returns the seconds to wait
   * before it may be requested; 0: go on.
   */
  takeMail(kind: MailKind, recipient: string, sender: string): Promise<number>;
};

/** Counted apart, so that sign-ups mailed to a member don't use up their password resets. */
export type MailKind = 'sign-up' | 'reset' | 'invitation';

export type SignInAttempt = { login: string; address: string; device: string | null };

/** Logins are keyed by a fingerprint: the table of counters is no list of addresses. */
export function createGuessLimits(store: CounterStore, fingerprint: (text: string) => string): GuessLimits {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    store.kind === 'memory'
      ? new RateLimiterMemory({ keyPrefix, points, duration })
      : new RateLimiterPostgres({
          storeClient: { query: limiterQuery(store) },
          storeType: 'pool',
          tableName: 'rate_limits',
          tableCreated: true,
          keyPrefix,
          points,
          duration,
        });
  const byAddress = limiter('guess-address', FAILURES_PER_ADDRESS, ADDRESS_SECONDS);
  const byLogin = limiter('guess-login', FAILURES_PER_LOGIN, LOGIN_SECONDS);
  const byDevice = limiter('guess-device', FAILURES_PER_DEVICE, LOGIN_SECONDS);
  const byMember = limiter('guess-member', FAILURES_PER_MEMBER, MEMBER_SECONDS);
  const freed = limiter('guess-freed', FREED_PER_MEMBER, FREED_SECONDS);
  const mailTo = limiter('mail-to', MAILS_PER_RECIPIENT, MAIL_SECONDS);
  const mailFrom = limiter('mail-from', MAILS_PER_ADDRESS, MAIL_SECONDS);

  const countersOf = ({ login, address, device }: SignInAttempt): [typeof byAddress, string][] =>
    device
      ? [[byDevice, device]]
      : [
          [byAddress, address],
          [byLogin, fingerprint(login)],
        ];

  return {
    async takeSignIn(attempt) {
      return Math.max(...(await Promise.all(countersOf(attempt).map(([counter, key]) => take(counter, key)))));
    },
    async signInSucceeded(attempt) {
      await Promise.all(countersOf(attempt).map(([counter, key]) => counter.reward(key, 1)));
    },
    takeConfirmationGuess: (memberId) => take(byMember, memberId),
    async confirmationSucceeded(memberId) {
      // Its own guess only: the member's right code must not give an attacker ten more.
      await byMember.reward(memberId, 1);
    },
    async passwordReset(login, memberId) {
      await byLogin.delete(fingerprint(login));
      if ((await take(freed, memberId)) > 0) return false;
      await byMember.delete(memberId);
      return true;
    },
    async takeMail(kind, recipient, sender) {
      const waits = await Promise.all([take(mailTo, `${kind} ${fingerprint(recipient)}`), take(mailFrom, sender)]);
      return Math.max(...waits);
    },
  };
}

/**
 * Rejects an attempt that has to wait. Errors (DomainError): too_many_attempts, with the seconds.
 */
export function demandNoWait(seconds: number): void {
  if (seconds > 0) throw new DomainError('too_many_attempts', { params: { seconds: String(seconds) } });
}

async function take(counter: RateLimiterMemory | RateLimiterPostgres, key: string): Promise<number> {
  try {
    await counter.consume(key);
    return 0;
  } catch (rejection) {
    if (rejection instanceof Error) throw rejection;
    return seconds((rejection as { msBeforeNext: number }).msBeforeNext);
  }
}

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
