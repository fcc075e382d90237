import {
  BETTER_AUTH_COLUMNS,
  BLIND_INDEXES,
  type BlindIndex,
  SEALED_COLUMNS,
  type SealedColumn,
} from './sealed-columns.ts';

/** Which columns are sealed, and which are made of them. */
export type SealedRegistry = {
  sealed: Readonly<Record<string, SealedColumn>>;
  betterAuth: Readonly<Record<string, { key: readonly string[] }>>;
  indexes: Readonly<Record<string, BlindIndex>>;
};

export const SEALED_REGISTRY: SealedRegistry = {
  sealed: SEALED_COLUMNS,
  betterAuth: BETTER_AUTH_COLUMNS,
  indexes: BLIND_INDEXES,
};

/** How a value says which key sealed it: `v2.…` as text or bytes, `$ba$2$…` of better-auth. */
export type SealKind = SealedColumn['kind'] | 'better_auth';

/** A table with sealed columns, as it is gone through. */
export type SealedTable = {
  table: string;
  key: readonly string[];
  columns: readonly { name: string; kind: SealKind; context: string }[];
  indexes: readonly { name: string; index: BlindIndex }[];
  /** Other columns of a row that contexts and indexes need. */
  needs: readonly string[];
};

/** The registry by table. */
export function sealedTables(registry: SealedRegistry = SEALED_REGISTRY): SealedTable[] {
  const all = [
    ...Object.entries(registry.sealed),
    ...Object.entries(registry.betterAuth).map(
      ([name, { key }]) => [name, { key, kind: 'better_auth' as const, context: '' }] as const,
    ),
  ];
  const tables = [...new Set(all.map(([name]) => tableOf(name)))];
  return tables.map((table) => {
    const own = all.filter(([name]) => tableOf(name) === table);
    const key = own[0]?.[1].key ?? [];
    const indexes = Object.entries(registry.indexes).filter(([name]) => tableOf(name) === table);
    const needs = [
      ...own.flatMap(([, { context }]) => [...context.matchAll(/\{(\w+)\}/g)].map(([, column = '']) => column)),
      ...indexes.flatMap(([, index]) => index.needs),
    ];
    return {
      table,
      key,
      columns: own.map(([name, { kind, context }]) => ({ name: columnOf(name), kind, context })),
      indexes: indexes.map(([name, index]) => ({ name: columnOf(name), index })),
      needs: [...new Set(needs)].filter((column) => !key.includes(column)),
    };
  });
}

const tableOf = (name: string) => name.split('.')[0] ?? '';
const columnOf = (name: string) => name.split('.')[1] ?? '';

/**
 * SQL: the version of the key that sealed a column's value, e.g. `v2`; NULL for NULL, '' where it
 * says none.
 */
export function versionSql(kind: SealKind, column: string): string {
  const isText = kind === 'text' || kind === 'better_auth';
  const start = !isText ? `encode(substring(${column} from 1 for ${PREFIX_MAX}), 'escape')` : column;
  const found =
    kind === 'better_auth'
      ? `'v' || substring(${start} FROM '^[$]ba[$]([0-9]{1,7})[$]')`
      : `substring(${start} FROM '^(v[0-9]{1,7})[.]')`;
  return `CASE WHEN ${column} IS NOT NULL THEN coalesce(${found}, '') END`;
}

/** `v`, at most seven digits, and the dot. */
const PREFIX_MAX = 9;
