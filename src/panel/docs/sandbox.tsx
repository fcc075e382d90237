import { useTranslations } from 'next-intl';
import { MAGIC_CENTS, SANDBOX_SWITCHES, UNKNOWN_PIX_KEY } from '#domain/sandbox/sandbox-switches.ts';
import type { TransactionType } from '#domain/transactions/transaction-states.ts';
import { CodeBlock } from './code-block.tsx';
import { Codes, MARKS, Prose } from './section.tsx';

type MagicTable = keyof typeof MAGIC_CENTS;
const MAGIC_TABLES = Object.keys(MAGIC_CENTS) as MagicTable[];

const OPERATION_TYPES: Record<MagicTable, TransactionType> = {
  pixChargeCents: 'pix_in',
  pixDisputeCents: 'pix_in',
  pixPayoutCents: 'pix_out',
  pixKeyCents: 'pix_out',
  depositCents: 'crypto_in',
  withdrawalCents: 'crypto_out',
};

const COMMANDS = `npm run --silent trilho -- sandbox pay TRANSACTION_ID
npm run --silent trilho -- sandbox pay TRANSACTION_ID --amount 9.99
npm run --silent trilho -- sandbox pay INVOICE_ID --share 0.5 --unconfirmed
npm run --silent trilho -- sandbox confirm INVOICE_ID
npm run --silent trilho -- sandbox set pix.payout silent_lost`;

/** What a merchant's own request chooses in the sandbox. */
export function MagicValues() {
  const t = useTranslations('docs.sandbox');
  const types = useTranslations('docs.states.types');
  const rows = MAGIC_TABLES.flatMap((table) =>
    Object.entries(MAGIC_CENTS[table]).map(([cents, outcome]) => [
      t.rich('cents', { ...MARKS, cents }),
      types(OPERATION_TYPES[table]),
      // The messages have a text for each outcome of each table; the compiler can't follow a key of
      // two changing parts.
      t(`${table}.${outcome}` as 'pixChargeCents.paid'),
    ]),
  );
  rows.push([t.rich('pixKey', { ...MARKS, key: UNKNOWN_PIX_KEY }), types('pix_out'), t('unknownPixKey')]);
  return <Prose id="sandbox" table={{ head: [t('value'), t('operation'), t('outcome')], rows }} />;
}

/** What an operator chooses for all of it. */
export function Switches() {
  const t = useTranslations('docs.switches');
  const rows = Object.entries(SANDBOX_SWITCHES).map(([name, values]) => [
    <code key={name}>{name}</code>,
    t(`texts.${name.replace('.', '_') as 'quotes'}`),
    <Codes key="values" texts={values} />,
  ]);
  const head = [t('switch'), t('outcome'), t('values')];
  return <Prose id="switches" side={<CodeBlock title="trilho" code={COMMANDS} />} table={{ head, rows }} />;
}
