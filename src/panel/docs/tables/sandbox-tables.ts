import {
  MAGIC_CENTS,
  MAGIC_TRANSACTION_TYPES,
  type MagicTable,
  SANDBOX_SWITCHES,
  UNKNOWN_PIX_KEY,
} from '#domain/sandbox/sandbox-switches.ts';
import { codeCell, codesCell, KEPT_MARKS, type Table, type Texts } from './table.ts';

const MAGIC_TABLES = Object.keys(MAGIC_CENTS) as MagicTable[];

/** What a request chooses in the sandbox by its own values. */
export const magicValuesTable = (t: Texts): Table => ({
  label: t('docs.sandbox.title'),
  head: [t('docs.sandbox.value'), t('docs.sandbox.operation'), t('docs.sandbox.outcome')],
  rows: [
    ...MAGIC_TABLES.flatMap((table) =>
      Object.entries(MAGIC_CENTS[table]).map(([cents, outcome]) => [
        t.markup('docs.sandbox.cents', { ...KEPT_MARKS, cents }),
        t(`docs.states.types.${MAGIC_TRANSACTION_TYPES[table]}`),
        // The messages have a text for each outcome of each table; the compiler can't follow a key
        // of two changing parts.
        t(`docs.sandbox.${table}.${outcome}` as 'docs.sandbox.pixChargeCents.paid'),
      ]),
    ),
    [
      t.markup('docs.sandbox.pixKey', { ...KEPT_MARKS, key: UNKNOWN_PIX_KEY }),
      t('docs.states.types.pix_out'),
      t('docs.sandbox.unknownPixKey'),
    ],
  ],
});

/** The switches that an operator sets for the whole sandbox. */
export const switchesTable = (t: Texts): Table => ({
  label: t('docs.switches.title'),
  head: [t('docs.switches.switch'), t('docs.switches.outcome'), t('docs.switches.values')],
  rows: Object.entries(SANDBOX_SWITCHES).map(([name, values]) => [
    codeCell(name),
    t(`docs.switches.texts.${name.replace('.', '_') as 'quotes'}`),
    codesCell(values),
  ]),
});
