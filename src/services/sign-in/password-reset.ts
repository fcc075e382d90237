import { insertAudit } from '#db/audit/audit.ts';
import { listMerchantsOf } from '#db/members/memberships.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import type { Deps } from '../deps.ts';
import { sendMail } from '../mail/send-mail.ts';
import { notifyChange } from '../members/notify-change.ts';
import { ADDRESS_HEADER } from './address-header.ts';

type Sender = { headers: Headers } | undefined;

/** Mails a member the link to a new password, in the language that their browser asks for. */
export const sendResetLink = (
  deps: Deps,
  { user, token }: { user: { email: string; name: string }; token: string },
  sender: Sender,
): Promise<void> =>
  sendMail(deps, {
    to: user.email,
    language: chooseLanguage(sender?.headers.get('accept-language') ?? null),
    template: 'reset_password',
    params: {
      name: user.name,
      url: `${deps.settings.publicUrl}/senha/nova?token=${encodeURIComponent(token)}`,
    },
  });

/**
 * Called after a new password by mail: records the reset in the audit, and notifies every member of
 * their merchants.
 */
export async function recordPasswordReset(
  deps: Deps,
  user: { id: string; name: string },
  sender: Sender,
): Promise<void> {
  const origin = {
    ipAddress: sender?.headers.get(ADDRESS_HEADER) ?? null,
    userAgent: sender?.headers.get('user-agent') ?? null,
  };
  for (const { id: merchantId } of await listMerchantsOf(deps.db, user.id)) {
    const who = { merchantId, memberId: user.id, accountId: null, ...origin };
    await insertAudit(deps.db, { ...who, action: 'password.reset', details: {}, at: deps.clock() });
    await notifyChange(deps, { merchantId, what: 'password_reset', by: user, origin });
  }
}
