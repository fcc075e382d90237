import type { Database } from '../connection/database.ts';

/** Whose an account is. */
export type AccountOwner = { accountId: string; merchantName: string; mode: 'live' | 'test' };

/** Whose these accounts are, by their ids. */
export async function findOwners(db: Database, accountIds: readonly string[]): Promise<Map<string, AccountOwner>> {
  const rows = await db.prisma.account.findMany({
    where: { id: { in: [...new Set(accountIds)] } },
    select: { id: true, mode: true, merchant: { select: { name: true } } },
  });
  return new Map(rows.map(({ id, mode, merchant }) => [id, { accountId: id, merchantName: merchant.name, mode }]));
}

/** Whose a row is: an account that has rows is there. */
export function ownerOf(owners: ReadonlyMap<string, AccountOwner>, { accountId }: { accountId: string }): AccountOwner {
  const owner = owners.get(accountId);
  if (!owner) throw new Error(`There is no account ${accountId}.`);
  return owner;
}
