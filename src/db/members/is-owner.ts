import type { Prisma } from '#prisma';

/** Whether somebody is an owner of a merchant, as the transaction sees it. */
export const isOwner = async (
  tx: Prisma.TransactionClient,
  of: { merchantId: string; memberId: string },
): Promise<boolean> => (await tx.membership.count({ where: { ...of, role: 'owner' } })) > 0;
