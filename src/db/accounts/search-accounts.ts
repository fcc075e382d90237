import type { Prisma } from '#prisma';
import type { Database } from '../connection/database.ts';

export type FoundAccount = {
  id: string;
  merchantId: string;
  merchantName: string;
  email: string;
  mode: 'live' | 'test';
  kycStatus: 'pending' | 'approved' | 'rejected';
  suspendedAt: Date | null;
  suspensionReason: string | null;
  createdAt: Date;
};

/**
 * Lists accounts of the installation, newest first, older than the account `before`: those with
 * this `id`, their own or their merchant's, or else those whose merchant's name or e-mail contains
 * `text`.
 */
export async function searchAccounts(
  db: Database,
  search: { text: string; id: string | null; suspended: boolean; before: string | null; limit: number },
): Promise<FoundAccount[]> {
  const { text, id, suspended, before, limit } = search;
  const has = { contains: text, mode: 'insensitive' } as const;
  const merchant: Prisma.MerchantWhereInput = { OR: [{ name: has }, { email: has }] };
  const rows = await db.prisma.account.findMany({
    where: {
      ...(suspended && { suspendedAt: { not: null } }),
      ...(before !== null && { id: { lt: before } }),
      ...(id !== null ? { OR: [{ id }, { merchantId: id }] } : text !== '' && { merchant }),
    },
    orderBy: { id: 'desc' },
    take: limit,
    select: {
      id: true,
      merchantId: true,
      mode: true,
      suspendedAt: true,
      suspensionReason: true,
      createdAt: true,
      merchant: { select: { name: true, email: true, kycStatus: true } },
    },
  });
  return rows.map(({ merchant: { name, email, kycStatus }, ...account }) => ({
    ...account,
    merchantName: name,
    email,
    kycStatus,
  }));
}
