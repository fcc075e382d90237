import type { Deps } from '../deps.ts';
import { sendMail } from '../mail/send-mail.ts';

/** Sends the operator at `to` a mail: the log of the embedded server is not archived. */
export async function notifyArchiveFailure(
  deps: Pick<Deps, 'db' | 'clock' | 'secretBox' | 'wakeWorkers'>,
  to: string,
  error: unknown,
): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  await sendMail(deps, { to, language: 'pt-BR', template: 'log_archive_failed', params: { reason } });
}
