import { useTranslations } from 'next-intl';
import { MAGIC_CENTS, UNKNOWN_PIX_KEY } from '#domain/sandbox/sandbox-switches.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import classes from './sandbox-page.module.css';

type MagicTable = keyof typeof MAGIC_CENTS;
const TABLES = Object.keys(MAGIC_CENTS) as MagicTable[];
const TYPES = {
  pixChargeCents: 'pix_in',
  pixPayoutCents: 'pix_out',
  depositCents: 'crypto_in',
  withdrawalCents: 'crypto_out',
} as const satisfies Record<MagicTable, string>;

/** The amounts with which a request chooses its own outcome. */
export function MagicCents() {
  const t = useTranslations('panel.sandbox.magic');
  const types = useTranslations('panel.transactions.types');
  // The messages have a text for each outcome of each table; the compiler can't follow a key of two
  // changing parts.
  const textOf = (table: MagicTable, outcome: string) => t(`${table}.${outcome}` as 'pixChargeCents.paid');
  const rows = TABLES.flatMap((table) =>
    Object.entries(MAGIC_CENTS[table]).map(([cents, outcome]) => ({
      type: TYPES[table] as (typeof TYPES)[MagicTable],
      value: t('cents', { cents }),
      outcome: textOf(table, outcome),
    })),
  );
  const unknownKey = {
    type: 'pix_out',
    value: t('key', { key: UNKNOWN_PIX_KEY }),
    outcome: t('unknownPixKey'),
  } as const;
  return (
    <Section plain title={t('title')} text={t('text')}>
      <DataTable
        rows={[...rows, unknownKey]}
        keyOf={({ value }) => value}
        title={(name) => t(name)}
        classes={classes}
        columns={[
          { name: 'what', cell: ({ type }) => types(type) },
          { name: 'value', cell: ({ value }) => value, isHead: true },
          { name: 'outcome', cell: ({ outcome }) => outcome },
        ]}
      />
      <Muted>{t('note')}</Muted>
    </Section>
  );
}
