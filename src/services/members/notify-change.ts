import type { NoticeToSend } from '#db/notices/insert-notices.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Origin } from '../api-keys/principal.ts';
import type { Deps } from '../deps.ts';
import type { SecurityChange } from '../mail/mail-texts.ts';
import { type NotifyDeps, notifyMembers, prepareNotices } from './notify-members.ts';

export type NotifiedChange = {
  merchantId: string;
  what: SecurityChange;
  /** Which key, which topic, why; null where the change says it all. Never a secret. */
  about?: string | null;
  /** The member who did it; null: the operator. */
  by: { name: string } | null;
  origin: Origin | null;
};

/** What makes the notices of a change, once it is known what was changed. */
export type ChangeNotices = (what: SecurityChange, about?: string | null) => NoticeToSend[];

/**
 * Notifies every member of a merchant, whatever their preferences, that something was made or
 * changed that moves money or protects it: an intruder with one member's login can't keep the
 * others from knowing.
 */
export const notifyChange = (
  deps: NotifyDeps,
  { merchantId, what, about = null, by, origin }: NotifiedChange,
): Promise<void> =>
  notifyMembers(deps, {
    kind: 'security_changed',
    merchantId,
    params: paramsOf(deps, { what, about, by, origin }),
  });

/**
 * Prepares what notifyChange() does, for a change whose own commit writes the notices (`notices` of
 * its audit entry).
 */
export async function prepareChangeNotices(
  deps: NotifyDeps,
  { merchantId, by, origin }: Pick<NotifiedChange, 'merchantId' | 'by' | 'origin'>,
): Promise<ChangeNotices> {
  const notices = await prepareNotices(deps, { kind: 'security_changed', merchantId });
  return (what, about = null) => notices(paramsOf(deps, { what, about, by, origin }));
}

/** The same for a change that a member makes. */
export const prepareOwnChangeNotices = (
  deps: NotifyDeps,
  { member, origin }: { member: { merchantId: string; name: string }; origin: Origin },
): Promise<ChangeNotices> => prepareChangeNotices(deps, { merchantId: member.merchantId, by: member, origin });

const paramsOf = (
  deps: Pick<Deps, 'clock'>,
  { what, about = null, by, origin }: Omit<NotifiedChange, 'merchantId'>,
) => ({ what, about, by: by?.name ?? null, at: ownTime(deps), ipAddress: origin?.ipAddress ?? null });

/** Notifies every member of a merchant of a change that one of them made, as notifyChange does. */
export const notifyOwnChange = (
  deps: NotifyDeps,
  { member, origin }: { member: { merchantId: string; name: string }; origin: Origin },
  what: SecurityChange,
  about: string | null = null,
): Promise<void> => notifyChange(deps, { merchantId: member.merchantId, what, about, by: member, origin });
