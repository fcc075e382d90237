import { useTranslations } from 'next-intl';
import { MAGIC_CENTS, SANDBOX_SWITCHES, UNKNOWN_PIX_KEY } from '#domain/sandbox/sandbox-switches.ts';
import { CodeBlock } from './code-block.tsx';
import { RICH } from './rich-text.tsx';
import { Codes, DocsTable, Section } from './section.tsx';

type MagicTable = keyof typeof MAGIC_CENTS;
const MAGIC_TABLES = Object.keys(MAGIC_CENTS) as MagicTable[];

const OPERATION_TYPES: Record<MagicTable, 'pix_in' | 'pix_out' | 'crypto_in' | 'crypto_out'> = {
  pixChargeCents: 'pix_in',
  pixPayoutCents: 'pix_out',
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
  // The messages have a text for each outcome of each table; the compiler can't follow a key of two changing parts.
  const textOf = (table: MagicTable, outcome: string) => t(`${table}.${outcome}` as 'pixChargeCents.paid');
  return (
    <Section id="sandbox" title={t('title')}>
      <p>{t.rich('text', RICH)}</p>
      <DocsTable label={t('title')} head={[t('value'), t('operation'), t('outcome')]}>
        {MAGIC_TABLES.flatMap((table) =>
          Object.entries(MAGIC_CENTS[table]).map(([cents, outcome]) => (
            <tr key={cents}>
              <th scope="row">{t.rich('cents', { ...RICH, cents })}</th>
              <td>{types(OPERATION_TYPES[table])}</td>
              <td>{textOf(table, outcome)}</td>
            </tr>
          )),
        )}
        <tr>
          <th scope="row">{t.rich('pixKey', { ...RICH, key: UNKNOWN_PIX_KEY })}</th>
          <td>{types('pix_out')}</td>
          <td>{t('unknownPixKey')}</td>
        </tr>
      </DocsTable>
      <p>{t('cryptoNote')}</p>
      <p>{t('prices')}</p>
    </Section>
  );
}

/** What an operator chooses for all of it. */
export function Switches() {
  const t = useTranslations('docs.sandbox');
  return (
    <Section id="switches" title={t('switchesTitle')} side={<CodeBlock title="trilho" code={COMMANDS} />}>
      <p>{t.rich('byHand', RICH)}</p>
      <p>{t('switches')}</p>
      <DocsTable label={t('switchesTitle')} head={[t('switch'), t('outcome'), t('values')]}>
        {Object.entries(SANDBOX_SWITCHES).map(([name, values]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>{t(`switchTexts.${name.replace('.', '_') as 'quotes'}`)}</td>
            <td>
              <Codes texts={values} />
            </td>
          </tr>
        ))}
      </DocsTable>
    </Section>
  );
}
