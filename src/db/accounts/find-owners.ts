import type { Database } from '../connection/database.ts';

/** The merchant that an account belongs to. */
export type AccountOwner = { accountId: string; merchantName: string; mode: 'live' | 'test' };

/** Returns the owners of these accounts by account id; unknown ids are left out. */
export async function findOwners(db: Database, accountIds: readonly string[]): Promise<Map<string, AccountOwner>> {
  const rows = await db.prisma.account.findMany({
    where: { id: { in: [...new Set(accountIds)] } },
    select: { id: true, mode: true, merchant: { select: { name: true } } },
  });
  return new Map(rows.map(({ id, mode, merchant }) => [id, { accountId: id, merchantName: merchant.name, mode }]));
}

/**
 * Returns the owner of a row's account. Throws when it is not among `owners`: an account with rows
 * exists.
 */
export function ownerOf(owners: ReadonlyMap<string, AccountOwner>, { accountId }: { accountId: string }): AccountOwner {
  const owner = owners.get(accountId);
  if (!owner) throw new Error(`There is no account ${accountId}.`);
  return owner;
}
