import { findMemberBy } from '#db/members/members.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { RefusalAudit } from '../audit/record-refusal.ts';
import type { Deps } from '../deps.ts';

/** Whose sign-in or setting a request was about, as far as it came. */
export type About = { memberId: string } | { email: string } | { credentialId: string };

/** What a request at one of the sign-in's endpoints asked for. */
export type Attempt = 'password' | 'mail' | 'second_factor' | 'passkey' | 'setting';

const LOCKED_STATUS = 429;

/** Notes what failed at the sign-in, of a member who is known; what was typed for nobody's address is counted by its status only. */
export async function noteFailure(
  deps: Pick<Deps, 'db' | 'log'> & { refusals: RefusalAudit },
  failure: { attempt: Attempt; about: About; path: string; origin: Origin; answer: Response },
): Promise<void> {
  const { attempt, about, path, origin, answer } = failure;
  try {
    const why = answer.ok ? null : await reasonOf(answer);
    const action = actionOf(attempt, answer.status, why);
    const member = action && (await findMemberBy(deps.db, about));
    if (!member) return;
    const details = { path, ...(why !== null && { why }) };
    await deps.refusals.note({ ...member, accountId: null, action, details, origin });
  } catch (err) {
    deps.log.error({ err, path }, 'The audit could not be written.');
  }
}

/** The name that the audit has for it; null: it is not noted. */
function actionOf(attempt: Attempt, status: number, why: string | null): string | null {
  if (attempt === 'mail') return status < 300 ? 'password.reset_requested' : null;
  if (status < 300 || status >= 500) return null;
  const tried = { password: 'sign_in', second_factor: 'second_factor', passkey: 'passkey', setting: 'confirmation' };
  if (status === LOCKED_STATUS) return `${tried[attempt]}.locked`;
  if (attempt === 'setting') {
    return why === 'INVALID_PASSWORD' ? 'confirmation.failed' : why === 'withdrawals_paused' ? 'member.refused' : null;
  }
  return `${tried[attempt]}.failed`;
}

/** Our own reason, or better-auth's code: never a text that somebody typed. */
async function reasonOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => null)) as { code?: unknown; data?: { reason?: unknown } } | null;
  const reason = body?.data?.reason ?? body?.code;
  return typeof reason === 'string' ? reason : String(answer.status);
}
