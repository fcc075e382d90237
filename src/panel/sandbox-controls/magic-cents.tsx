import { Table, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { MAGIC_CENTS, UNKNOWN_PIX_KEY } from '#domain/sandbox/sandbox-switches.ts';
import { FoldingTable } from '#panel/shell/folding-table.tsx';
import { Muted } from '#panel/shell/muted.tsx';
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
  // The messages have a text for each outcome of each table; the compiler can't follow a key of two changing parts.
  const textOf = (table: MagicTable, outcome: string) => t(`${table}.${outcome}` as 'pixChargeCents.paid');
  return (
    <section aria-labelledby="magic">
      <Title order={2} fz="md" id="magic">
        {t('title')}
      </Title>
      <Muted mb="sm">{t('text')}</Muted>
      <FoldingTable>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('what')}</Table.Th>
            <Table.Th>{t('value')}</Table.Th>
            <Table.Th>{t('outcome')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {TABLES.flatMap((table) =>
            Object.entries(MAGIC_CENTS[table]).map(([cents, outcome]) => (
              <Table.Tr key={cents} className={classes.row}>
                <Table.Td className={classes.what}>{types(TYPES[table])}</Table.Td>
                <Table.Th scope="row" className={classes.cents}>
                  {t('cents', { cents })}
                </Table.Th>
                <Table.Td className={classes.outcome}>{textOf(table, outcome)}</Table.Td>
              </Table.Tr>
            )),
          )}
          <Table.Tr className={classes.row}>
            <Table.Td className={classes.what}>{types('pix_out')}</Table.Td>
            <Table.Th scope="row" className={classes.cents}>
              {t('key', { key: UNKNOWN_PIX_KEY })}
            </Table.Th>
            <Table.Td className={classes.outcome}>{t('unknownPixKey')}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </FoldingTable>
      <Muted mt="xs">{t('note')}</Muted>
    </section>
  );
}
