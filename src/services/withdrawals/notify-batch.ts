import { findAccountTerms } from '#db/accounts/account-terms.ts';
import { listMembers } from '#db/members/memberships.ts';
import { findBatch } from '#db/withdrawals/payout-batches.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import { toBrl } from '#domain/values/money.ts';
import type { Deps } from '../deps.ts';
import { sendMail } from '../mail/send-mail.ts';
import { APPROVERS } from './notify-approval.ts';

/**
 * Notifies those who may approve a batch that it waits for one of them; not who made it. The task
 * is written with the batch. Test accounts get none: play money is worth no message.
 */
export async function notifyBatch(deps: Deps, id: string): Promise<void> {
  const batch = await findBatch(deps.db.pool, id);
  if (batch?.status !== 'pending_approval' || batch.decideUntil === null) return;
  const terms = await findAccountTerms(deps.db.pool, batch.accountId, deps.clock());
  if (terms?.mode !== 'live') return;
  const url = `${deps.settings.publicUrl}/live/lotes/${id}`;
  for (const member of await listMembers(deps.db, terms.merchantId)) {
    if (!APPROVERS.includes(member.role) || member.id === batch.madeById) continue;
    await sendMail(deps, {
      to: member.email,
      language: chooseLanguage(member.language),
      template: 'batch_waits',
      params: {
        ...{ name: member.name, reais: toBrl(batch.centavos), rows: String(batch.rows), by: batch.madeBy ?? '' },
        ...{ decideBy: batch.decideUntil, url },
      },
    });
  }
}
