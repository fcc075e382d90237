import type { KycStatus } from './accounts.ts';
import type { Database } from './database.ts';

export type AccountMode = 'live' | 'test';

/** What is there already of an address that signs up; null: nothing. `isMember`: it has a login; `hasMember`: its merchant has one. */
export async function findMerchantForSignUp(
  db: Database,
  email: string,
): Promise<{
  merchantId: string;
  kycStatus: KycStatus;
  modes: AccountMode[];
  isMember: boolean;
  hasMember: boolean;
} | null> {
  const member = await db.prisma.member.findUnique({ where: { email }, select: { merchantId: true } });
  const merchant = await db.prisma.merchant.findUnique({
    where: member ? { id: member.merchantId } : { email },
    include: { accounts: { select: { mode: true } }, _count: { select: { members: true } } },
  });
  if (!merchant) return null;
  const { id, kycStatus, accounts, _count } = merchant;
  return {
    merchantId: id,
    kycStatus,
    modes: accounts.map(({ mode }) => mode),
    isMember: member !== null,
    hasMember: _count.members > 0,
  };
}
