import type pg from 'pg';
import type { Fee } from '#domain/accounts/fees.ts';
import type { TermsChange } from '#domain/accounts/terms-change.ts';
import { FIRST_KEY_PERMISSIONS } from '#domain/api-keys/permissions.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import type { Topic } from '#domain/webhooks/events.ts';
import { Prisma } from '#prisma';
import { invalidateAccountCachesIn } from '../api-keys/api-keys.ts';
import { type AuditEntry, insertAuditIn } from '../audit/audit.ts';
import { toBytes } from '../connection/bytes.ts';
import type { Database } from '../connection/database.ts';
import { insertNoticesIn, type NoticeToSend } from '../notices/insert-notices.ts';
import { lockCredentialsIn, type NewCredential, replaceCredentialIn } from './own-credentials.ts';
import { insertTermsChangeIn, type NewTermsChange } from './terms-changes.ts';

export type KycStatus = 'pending' | 'approved' | 'rejected';

export type NewMerchant = {
  id: string;
  name: string;
  email: string;
  document: string;
  documentType: 'cpf' | 'cnpj';
  phone: string | null;
  kycStatus: KycStatus;
  canCreateAccounts: boolean;
};

export type NewAccount = {
  merchant: NewMerchant | { existingId: string };
  /** Reject a merchant that is there already. */
  onlyNewMerchant: boolean;
  account: {
    id: string;
    mode: 'live' | 'test';
    currency: string | null;
    webhookSecret: string;
    inactiveRails: TransactionType[];
    spreadBps?: number;
    toleranceBps?: number;
  };
  /** Null: the merchant's members make the keys. */
  key: { id: string; name: string; hash: Buffer; prefix: string; lastFour: string } | null;
  fees: { type: TransactionType; fee: Fee }[];
  /**
   * `centavos` null: no limit on purpose. A limit that is not named has the installation's default.
   */
  limits: { name: string; centavos: bigint | null }[];
  credentials: { kind: string; value: NewCredential | null }[];
  endpoints: { id: string; topic: Topic; url: string }[];
  now: Date;
};

/**
 * The merchant already has an account of this mode, a merchant that must be new already exists, or
 * the e-mail is another merchant's.
 */
export class AccountExists extends Error {}

/**
 * Writes an account with its ledger accounts, key, fees, limits and endpoints, and its merchant
 * where there is none with this e-mail, in one commit. An existing merchant keeps its name and
 * document; its KYC status becomes the given one. Returns the merchant's id. `audit` makes the
 * entry of the same commit; null: no entry. Throws AccountExists, CredentialsTaken.
 */
export async function insertAccount(
  db: Database,
  input: NewAccount,
  audit: (merchantId: string) => AuditEntry | null = () => null,
): Promise<{ merchantId: string }> {
  try {
    return await db.prisma.$transaction(async (tx) => {
      const opened = await insertAccountIn(tx, input);
      const entry = audit(opened.merchantId);
      if (entry) await insertAuditIn(tx, entry);
      return opened;
    });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') throw new AccountExists();
    throw error;
  }
}

/**
 * Does the same in the caller's transaction. Throws Prisma's error P2002 instead of AccountExists.
 */
export async function insertAccountIn(
  tx: Prisma.TransactionClient,
  input: NewAccount,
): Promise<{ merchantId: string }> {
  const { merchant, account, key, now } = input;
  const merchantId =
    'existingId' in merchant ? merchant.existingId : await insertMerchant(tx, merchant, input.onlyNewMerchant, now);
  await tx.account.create({
    data: {
      ...account,
      merchantId,
      createdAt: now,
      ...(key && {
        apiKeys: {
          create: { ...key, hash: toBytes(key.hash), permissions: [...FIRST_KEY_PERMISSIONS], createdAt: now },
        },
      }),
      fees: { create: input.fees.map(({ type, fee }) => ({ type, ...fee })) },
      limits: { create: input.limits },
      endpoints: { create: input.endpoints.map((endpoint) => ({ ...endpoint, createdAt: now })) },
    },
  });
  for (const credential of input.credentials) {
    await replaceCredentialIn(tx, { accountId: account.id, ...credential, now });
  }
  await tx.$queryRaw`SELECT ledger_open(${account.id}::uuid, ${account.mode}::mode)::text`;
  return { merchantId };
}

async function insertMerchant(
  tx: Prisma.TransactionClient,
  merchant: NewMerchant,
  onlyNew: boolean,
  now: Date,
): Promise<string> {
  const { kycStatus, canCreateAccounts } = merchant;
  const create = { ...merchant, createdAt: now };
  if (onlyNew) return (await tx.merchant.create({ data: create })).id;
  const update = { kycStatus, ...(canCreateAccounts ? { canCreateAccounts } : {}) };
  return (await tx.merchant.upsert({ where: { email: merchant.email }, create, update })).id;
}

/** The merchant with this e-mail, with its sealed CPF or CNPJ; null where there is none. */
export const findMerchantByEmail = (db: Database, email: string): Promise<{ id: string; document: string } | null> =>
  db.prisma.merchant.findUnique({ where: { email }, select: { id: true, document: true } });

export type AccountListing = {
  account_id: string;
  merchant_id: string;
  name: string;
  email: string;
  mode: string;
  kyc_status: string;
  currency: string | null;
  suspended_at: string | null;
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
    suspended_at: account.suspendedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
  }));
}

export type AccountProfile = {
  name: string;
  email: string;
  document: string;
  documentType: 'cpf' | 'cnpj';
  createdAt: Date;
  webhooks: { topic: Topic; url: string }[];
};

/** Who an account belongs to, and where its events go; null when there is no such account. */
export async function findAccountProfile(db: Database, accountId: string): Promise<AccountProfile | null> {
  const account = await db.prisma.account.findUnique({
    where: { id: accountId },
    include: {
      merchant: true,
      endpoints: { where: { topic: { not: null }, disabledAt: null }, orderBy: { topic: 'asc' } },
    },
  });
  if (!account) return null;
  const { merchant, endpoints, createdAt } = account;
  const { name, email, document, documentType } = merchant;
  return {
    name,
    email,
    document,
    documentType,
    createdAt,
    webhooks: endpoints.flatMap(({ topic, url }) => (topic === null ? [] : [{ topic, url }])),
  };
}

/** The sealed webhook secret of an account; null when there is no such account. */
export async function findWebhookSecret(db: Database, accountId: string): Promise<string | null> {
  const account = await db.prisma.account.findUnique({ where: { id: accountId }, select: { webhookSecret: true } });
  return account?.webhookSecret ?? null;
}

export type AccountChange = {
  accountId: string;
  merchant: {
    name?: string;
    email?: string;
    document?: string;
    documentType?: 'cpf' | 'cnpj';
    kycStatus?: KycStatus;
    canCreateAccounts?: boolean;
  };
  account: { currency?: string | null };
  /** Rails to turn on or off; the others stay as they are. */
  rails: { type: TransactionType; active: boolean }[];
  /** What changes of the terms, from now on. Null: nothing. */
  terms: Omit<NewTermsChange, 'effectiveAt'> | null;
  /**
   * Sets and enables the account's endpoints of these topics; undefined leaves them as they are.
   */
  endpoints: { id: string; topic: Topic; url: string }[] | undefined;
  /** Replaces the account's own credentials of this kind; null ends it. */
  credentials: { kind: string; value: NewCredential | null }[];
  now: Date;
  /** Makes the audit entry of the same commit from what was before the change. Null: no entry. */
  audit: ((before: { terms: TermsChange | null; currency: string | null }) => AuditEntry) | null;
  /** Written in the same commit. */
  notices: readonly NoticeToSend[];
};

/**
 * Changes what is agreed with an account, in one commit, by which every process drops what it has
 * cached of the merchant's accounts; false when there is no such account.
 * Throws AccountExists for an e-mail that is another merchant's, and CredentialsTaken.
 */
export async function updateAccount(db: Database, change: AccountChange): Promise<boolean> {
  const { accountId, now } = change;
  try {
    return await db.prisma.$transaction(async (tx) => {
      const [account] = await tx.$queryRaw<{ merchantId: string; currency: string | null }[]>`
        SELECT merchant_id AS "merchantId", currency FROM accounts WHERE id = ${accountId}::uuid FOR NO KEY UPDATE`;
      if (!account) return false;
      await tx.account.update({ where: { id: accountId }, data: change.account });
      if (change.rails.length > 0) await switchRailsIn(tx, change);
      const { terms } = change;
      const termsBefore = terms && (await insertTermsChangeIn(tx, { ...terms, accountId, effectiveAt: null, now }));
      for (const { id, topic, url } of change.endpoints ?? []) {
        const where = { accountId_topic: { accountId, topic } };
        const create = { id, accountId, topic, url, createdAt: now };
        await tx.endpoint.upsert({ where, create, update: { url, disabledAt: null, calledAt: null } });
      }
      if (change.credentials.length > 0) await lockCredentialsIn(tx, accountId);
      for (const credential of change.credentials) await replaceCredentialIn(tx, { accountId, ...credential, now });
      // After the account, as withdrawals lock them and the audit does.
      await tx.merchant.update({ where: { id: account.merchantId }, data: change.merchant });
      if (change.audit) await insertAuditIn(tx, change.audit({ terms: termsBefore, currency: account.currency }));
      await insertNoticesIn(tx, change.notices, now);
      // KYC is the merchant's: the caches of its other account are invalidated as well.
      await invalidateAccountCachesIn(tx, account.merchantId);
      return true;
    });
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') throw new AccountExists();
    throw error;
  }
}

/** The account is locked: of two changes at once, neither undoes the other. */
async function switchRailsIn(
  tx: Prisma.TransactionClient,
  { accountId: id, rails }: Pick<AccountChange, 'accountId' | 'rails'>,
): Promise<void> {
  const { inactiveRails } = await tx.account.findUniqueOrThrow({ where: { id }, select: { inactiveRails: true } });
  const inactive = new Set(inactiveRails);
  for (const { type, active } of rails) {
    if (active) inactive.delete(type);
    else inactive.add(type);
  }
  await tx.account.update({ where: { id }, data: { inactiveRails: [...inactive] } });
}

/**
 * An account of this mode by its id, by its merchant's e-mail, or by both, which must agree; null
 * when there is none.
 */
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

/**
 * Sets the password of the member with this e-mail, who is created, and made an owner of the
 * merchant, where needed. Throws when no merchant has `merchantEmail`.
 */
export async function upsertMember(
  db: Database,
  input: {
    merchantEmail: string;
    member: { id: string; name: string; email: string; passwordHash: string };
    now: Date;
  },
): Promise<void> {
  const { now } = input;
  const { passwordHash, ...member } = input.member;
  const stamps = { createdAt: now, updatedAt: now };
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { email: input.merchantEmail } });
  await db.prisma.$transaction(async (tx) => {
    const { id } = await tx.member.upsert({
      where: { email: member.email },
      create: { ...member, emailVerified: true, ...stamps },
      update: {},
    });
    const membership = { memberId: id, merchantId: merchant.id };
    await tx.membership.upsert({
      where: { memberId_merchantId: membership },
      create: { ...membership, role: 'owner', createdAt: now },
      update: {},
    });
    const login = { memberId: id, accountId: id, providerId: 'credential', password: passwordHash };
    await tx.login.deleteMany({ where: { memberId: id, providerId: 'credential' } });
    await tx.login.create({ data: { id, ...login, ...stamps } });
  });
}
