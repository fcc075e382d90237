import type pg from 'pg';
import type { Topic } from '#domain/events.ts';
import type { Fee } from '#domain/fees.ts';
import type { TransactionType } from '#domain/transaction-states.ts';
import type { Database } from './database.ts';
import { Prisma } from './generated/client.ts';

export type KycStatus = 'pending' | 'approved' | 'rejected';

export type NewAccount = {
  merchant: {
    id: string;
    name: string;
    email: string;
    document: string;
    documentType: 'cpf' | 'cnpj';
    kycStatus: KycStatus;
    canCreateAccounts: boolean;
  };
  account: { id: string; mode: 'live' | 'test'; currency: string | null; webhookSecret: string };
  key: { id: string; name: string; hash: Buffer; prefix: string };
  fees: { type: TransactionType; fee: Fee }[];
  limits: { name: string; centavos: bigint }[];
  endpoints: { id: string; topic: Topic; url: string }[];
  now: Date;
};

/** The merchant has an account of this mode already. */
export class AccountExists extends Error {}

/**
 * Writes an account with its ledger accounts, key, fees, limits and endpoints, and its merchant where there is none with
 * this e-mail, in one commit. An existing merchant keeps its name and document; its KYC status becomes the given one.
 * Gives the merchant's id. Throws AccountExists.
 */
export async function insertAccount(db: Database, input: NewAccount): Promise<{ merchantId: string }> {
  const { merchant, account, key, now } = input;
  const { id, kycStatus, canCreateAccounts } = merchant;
  try {
    return await db.prisma.$transaction(async (tx) => {
      const { id: merchantId } = await tx.merchant.upsert({
        where: { email: merchant.email },
        create: { ...merchant, createdAt: now },
        update: { kycStatus, ...(canCreateAccounts ? { canCreateAccounts } : {}) },
      });
      await tx.account.create({
        data: {
          ...account,
          merchantId,
          createdAt: now,
          apiKeys: { create: { ...key, hash: new Uint8Array(key.hash), createdAt: now } },
          fees: { create: input.fees.map(({ type, fee }) => ({ type, ...fee })) },
          limits: { create: input.limits },
          endpoints: { create: input.endpoints.map((endpoint) => ({ ...endpoint, createdAt: now })) },
        },
      });
      await tx.$queryRaw`SELECT ledger_open(${account.id}::uuid, ${account.mode}::mode)::text`;
      return { merchantId: merchantId ?? id };
    });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') throw new AccountExists();
    throw error;
  }
}

export type AccountListing = {
  account_id: string;
  merchant_id: string;
  name: string;
  email: string;
  mode: string;
  kyc_status: string;
  currency: string | null;
  created_at: string;
};

/** The accounts of this installation, oldest first. */
export async function listAccounts(db: Database): Promise<AccountListing[]> {
  const accounts = await db.prisma.account.findMany({ include: { merchant: true }, orderBy: { createdAt: 'asc' } });
  return accounts.map(({ merchant, ...account }) => ({
    account_id: account.id,
    merchant_id: merchant.id,
    name: merchant.name,
    email: merchant.email,
    mode: account.mode,
    kyc_status: merchant.kycStatus,
    currency: account.currency,
    created_at: account.createdAt.toISOString(),
  }));
}

/** Adds a key to an account; false when there is no such account. */
export async function insertApiKey(
  db: Database,
  key: { id: string; accountId: string; name: string; hash: Buffer; prefix: string; now: Date },
): Promise<void> {
  const { now, hash, ...rest } = key;
  await db.prisma.apiKey.create({ data: { ...rest, hash: new Uint8Array(hash), createdAt: now } });
}

export async function findAccountMode(db: Database, accountId: string): Promise<'live' | 'test' | null> {
  const account = await db.prisma.account.findUnique({ where: { id: accountId }, select: { mode: true } });
  return account?.mode ?? null;
}

/** Revokes keys by id, or by hash; gives the accounts they belonged to. Revoking twice changes nothing. */
export async function revokeApiKeys(
  db: pg.Pool,
  which: { id: string } | { hash: Buffer },
  now: Date,
): Promise<{ keyId: string; accountId: string }[]> {
  const [column, value] = 'id' in which ? ['id', which.id] : ['hash', which.hash];
  const { rows } = await db.query<{ keyId: string; accountId: string }>(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE ${column} = $1
     RETURNING id AS "keyId", account_id AS "accountId"`,
    [value, now],
  );
  return rows;
}

/** An account of this mode by its id, by its merchant's e-mail, or by both, which must agree; null when there is none. */
export async function findAccountId(
  db: pg.Pool,
  receiver: { accountId: string | null; email: string | null; mode: 'live' | 'test' },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT a.id FROM accounts a JOIN merchants m ON m.id = a.merchant_id
     WHERE a.mode = $1::mode AND ($2::uuid IS NULL OR a.id = $2) AND ($3::text IS NULL OR m.email = $3)
       AND ($2::uuid IS NOT NULL OR $3::text IS NOT NULL)`,
    [receiver.mode, receiver.accountId, receiver.email],
  );
  return rows[0]?.id ?? null;
}

/** Gives a merchant's member a (new) password. */
export async function upsertMember(
  db: Database,
  input: {
    merchantEmail: string;
    member: { id: string; name: string; email: string; passwordHash: string };
    now: Date;
  },
): Promise<void> {
  const { member, now } = input;
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { email: input.merchantEmail } });
  await db.prisma.member.upsert({
    where: { email: member.email },
    create: { ...member, merchantId: merchant.id, createdAt: now },
    update: { passwordHash: member.passwordHash },
  });
}
