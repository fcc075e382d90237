import { requeueMail } from '#db/mail/mails.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import { type AsOperator, INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/**
 * Has a worker send a message that was given up, as it was written: links in it may have expired.
 * Returns false when no message of this id was given up.
 */
export async function resendMail(
  deps: Pick<Deps, 'db' | 'clock' | 'wakeWorkers'> & AsOperator,
  id: string,
): Promise<boolean> {
  const audit = operatorEntry(deps, INSTALLATION, 'mail.resent', { subject: id });
  const isResent = await requeueMail(deps.db, id, ownTime(deps), audit);
  if (isResent) deps.wakeWorkers();
  return isResent;
}
