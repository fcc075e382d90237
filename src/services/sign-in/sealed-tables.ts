import type { BetterAuthPlugin, DBAdapter } from 'better-auth';

import { sealContext } from '#db/encryption/sealed-columns.ts';
import type { SecretBox } from '#domain/encryption/secret-box.ts';
import { hashLoginSecret } from '#domain/members/hash-login-secret.ts';

type Row = Record<string, unknown>;
type Where = { field: string; value: unknown; operator?: string | undefined };
type Operations = Omit<DBAdapter, 'transaction'>;

/** How the rows of one of better-auth's models are kept. */
type Kept = {
  /** The identifier that the client has to know: kept as a hash. */
  secret: string;
  /** Seals a new row, or the changes of the one that `where` finds. */
  seal(row: Row, where: Where[] | undefined): Row;
  open(row: Row): Row;
};

/**
 * Wraps better-auth's adapter: a session's token and a login token's name are stored as hashes, and
 * a login token's value is sealed. A reader of the database can neither take a session over nor use
 * a link that was sent to a member.
 */
export function sealedTables(secretBox: SecretBox): BetterAuthPlugin {
  const contextOf = (identifier: unknown) => sealContext('login_tokens.value', { identifier: String(identifier) });
  const kept: Record<string, Kept> = {
    session: { secret: 'token', seal: (row) => row, open: (row) => row },
    verification: {
      secret: 'identifier',
      seal(row, where) {
        if (row.value === undefined) return row;
        const identifier = row.identifier ?? where?.find(({ field }) => field === 'identifier')?.value;
        if (identifier === undefined) throw new Error('A login token is changed by its identifier only.');
        return { ...row, value: secretBox.seal(String(row.value), contextOf(identifier)) };
      },
      open: (row) =>
        row.value === undefined ? row : { ...row, value: secretBox.open(String(row.value), contextOf(row.identifier)) },
    },
  };
  return {
    id: 'sealed-tables',
    // better-auth reaches its database through the adapter of the context only, and makes
    // everything else from it after this.
    init: ({ adapter }) => ({ context: { adapter: sealing(adapter, kept) } }),
  };
}

function sealing(adapter: DBAdapter, kept: Record<string, Kept>): DBAdapter {
  return {
    ...adapter,
    ...sealedOperations(adapter, kept),
    transaction: (work) => adapter.transaction((inside) => work({ ...inside, ...sealedOperations(inside, kept) })),
  };
}

function sealedOperations(adapter: Operations, kept: Record<string, Kept>): Operations {
  const hashed = <T>(value: T): T => (typeof value === 'string' ? (hashLoginSecret(value) as T) : value);
  /** A condition with the secret's hash in place of the secret. */
  const find = <W extends Where[] | undefined>(model: string, where: W): W => {
    const secret = kept[model]?.secret;
    return where?.map((one) =>
      one.field !== secret
        ? one
        : { ...one, value: Array.isArray(one.value) ? one.value.map(hashed) : hashed(one.value) },
    ) as W;
  };
  const seal = <R extends object>(model: string, row: R, where?: Where[]): R => {
    const rule = kept[model];
    if (!rule) return row;
    const { [rule.secret]: secret, ...rest } = row as Row;
    return rule.seal(secret === undefined ? rest : { ...rest, [rule.secret]: hashed(secret) }, where) as R;
  };
  /** A row as better-auth expects it, with the secret itself where the query names it. */
  const open = <R>(model: string, row: R, known?: unknown): R => {
    const rule = kept[model];
    if (!rule || typeof row !== 'object' || row === null) return row;
    const opened = rule.open(row as Row);
    return (typeof known === 'string' ? { ...opened, [rule.secret]: known } : opened) as R;
  };
  const secretOf = (model: string, where: Where[] | undefined) =>
    where?.find(({ field, operator = 'eq' }) => field === kept[model]?.secret && operator === 'eq')?.value;

  return {
    ...adapter,
    create: async (asked) => {
      const row = await adapter.create({ ...asked, data: seal(asked.model, asked.data) });
      return open(asked.model, row, (asked.data as Row)[kept[asked.model]?.secret ?? '']) as never;
    },
    findOne: async (asked) => {
      const row = await adapter.findOne({ ...asked, where: find(asked.model, asked.where) });
      return open(asked.model, row, secretOf(asked.model, asked.where)) as never;
    },
    findMany: async (asked) => {
      const rows = await adapter.findMany({ ...asked, where: find(asked.model, asked.where) });
      return rows.map((row) => open(asked.model, row, secretOf(asked.model, asked.where))) as never;
    },
    count: (asked) => adapter.count({ ...asked, where: find(asked.model, asked.where) }),
    update: async (asked) => {
      const where = find(asked.model, asked.where);
      const row = await adapter.update({ ...asked, where, update: seal(asked.model, asked.update, where) });
      return open(asked.model, row, secretOf(asked.model, asked.where)) as never;
    },
    updateMany: (asked) => {
      const where = find(asked.model, asked.where);
      return adapter.updateMany({ ...asked, where, update: seal(asked.model, asked.update, where) });
    },
    delete: (asked) => adapter.delete({ ...asked, where: find(asked.model, asked.where) }),
    deleteMany: (asked) => adapter.deleteMany({ ...asked, where: find(asked.model, asked.where) }),
    consumeOne: async (asked) => {
      const row = await adapter.consumeOne({ ...asked, where: find(asked.model, asked.where) });
      return open(asked.model, row, secretOf(asked.model, asked.where)) as never;
    },
    incrementOne: (asked) => adapter.incrementOne({ ...asked, where: find(asked.model, asked.where) }),
  };
}
