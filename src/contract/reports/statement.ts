import { z } from 'zod';
import { CSV_FORMATS } from '#domain/reports/csv.ts';
import { ENTRY_NAMES, STATEMENT_BALANCES } from '#domain/reports/statement-entry.ts';
import { isDay, periodIssue } from '#domain/reports/statement-period.ts';
import { LISTED_TYPES } from '#domain/transactions/transaction-states.ts';
import { brlOutput } from '../amounts.ts';
import { optional, parsed } from '../codecs.ts';
import { countText, instantOutput } from '../fields.ts';
import { choiceOf, issue, messageOf } from '../issues/issue-message.ts';
import { named } from '../named.ts';
import { limitInput, optionalParameter } from '../query-fields.ts';
import { statementBalance, transactionType } from '../value-sets.ts';

const period = { balance: z.enum(STATEMENT_BALANCES), from: z.string(), to: z.string() };

const checkPeriod = (days: { from: string; to: string }, context: z.core.$RefinementCtx): void => {
  const found = periodIssue(days);
  if (found) context.addIssue({ code: 'custom', path: [found.field], message: messageOf(found) });
};

/**
 * Panel only: a page of the entries of one balance, newest first. Days are São Paulo's,
 * `2026-11-21`, the last included.
 */
export const statementInput = z
  .object({
    ...period,
    /** The next_cursor of the page before. */
    cursor: optional(countText),
  })
  .superRefine(checkPeriod);

/** BRL. opening + credits + debits = closing. */
export const statementOutput = z.object({
  /** With the first page only. */
  summary: z
    .object({
      opening: brlOutput,
      credits: brlOutput,
      /** Negative. */
      debits: brlOutput,
      closing: brlOutput,
      entries: z.number(),
    })
    .nullable(),
  entries: z.array(
    z.object({
      /** Its number in the balance, from 1, without a gap. */
      number: countText,
      name: z.enum(ENTRY_NAMES),
      /** The day that it counts on. */
      day: z.iso.date(),
      at: instantOutput,
      amount: brlOutput,
      balance_after: brlOutput,
      /**
       * Already taken off what came in, or included in what goes out; negative: included in what
       * comes back; null: none.
       */
      fee: brlOutput.nullable(),
      /** For a split of another account's charge: the account's own row for it. */
      transaction: z
        .object({
          id: z.uuid(),
          type: z.enum(LISTED_TYPES),
          description: z.string().nullable(),
          customer_name: z.string().nullable(),
          /** Where a withdrawal goes; people's numbers are masked. */
          destination: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  next_cursor: countText.nullable(),
});

export type StatementPageView = z.input<typeof statementOutput>;

/** The query of a statement's file. */
export const statementFileInput = z
  .object({ ...period, format: z.enum(CSV_FORMATS).default('pt-BR') })
  .superRefine(checkPeriod);

const dayInput = (description: string) =>
  z
    .string({ error: issue('not_iso_day') })
    .refine(isDay, { error: issue('not_iso_day'), abort: true })
    .meta({ description, override: { type: 'string', format: 'date' } });

const BALANCE_TEXT =
  'available: o que se pode usar; pending: visto, mas ainda não confirmado pela rede (cripto); blocked: reservado por saques, devoluções e contestações em andamento.';

/** GET /payments/statement; query parameters are texts. */
export const statementListInput = z
  .object({
    balance: named(
      'StatementBalance',
      z.enum(STATEMENT_BALANCES, { error: issue('not_one_of', choiceOf(STATEMENT_BALANCES)) }),
    )
      .default('available')
      .describe(`De qual dos três saldos. ${BALANCE_TEXT}`),
    from: dayInput('O primeiro dia, no horário de São Paulo, ex.: 2026-11-01.'),
    to: dayInput('O último dia, incluído: no máximo 366 dias.'),
    limit: limitInput('Quantos lançamentos a página tem.'),
    cursor: optionalParameter(
      parsed(
        z.string({ error: issue('not_cursor') }),
        (text) => (/^\d{1,18}$/.test(text) ? BigInt(text) : null),
        String,
        'not_cursor',
      ).describe('O next_cursor da página anterior, com os mesmos balance, from e to.'),
    ),
  })
  .superRefine(checkPeriod);

/**
 * Without the texts of the transactions, which hold people's names: they are read with another
 * permission.
 */
export const statementListOutput = z.object({
  success: z.literal(true),
  data: named(
    'Statement',
    z.object({
      balance: statementBalance,
      summary: named(
        'StatementSummary',
        z.object({
          opening_balance: brlOutput.describe('O saldo antes do primeiro dia, em reais.'),
          credits: brlOutput.describe('Tudo o que entrou no período, em reais.'),
          debits: brlOutput.describe('Tudo o que saiu no período, em reais: zero ou negativo.'),
          closing_balance: brlOutput.describe('O saldo depois do último dia: opening_balance + credits + debits.'),
          entry_count: z.int().min(0).describe('Quantos lançamentos o período tem.'),
        }),
      )
        .nullable()
        .describe('O período inteiro; só na primeira página, senão null.'),
      entries: z.array(
        named(
          'StatementEntry',
          z.object({
            entry_number: countText.describe('O número do lançamento neste saldo: de 1 em diante, sem lacunas.'),
            type: named('StatementEntryType', z.enum(ENTRY_NAMES)).describe('O que moveu o saldo.'),
            day: z.iso.date().describe('O dia em que conta, no horário de São Paulo.'),
            created_at: instantOutput,
            amount: brlOutput.describe('Quanto o saldo mudou, em reais; negativo quando sai.'),
            balance_after: brlOutput.describe('O saldo depois deste lançamento, em reais.'),
            fee: brlOutput
              .nullable()
              .describe(
                'A tarifa que já saiu de amount, se entra, ou está nele, se sai; negativa quando volta com um saque que falhou; null: nenhuma.',
              ),
            transaction: named('StatementTransaction', z.object({ transaction_id: z.uuid(), type: transactionType }))
              .nullable()
              .describe('A transação desta conta; GET /payments/transactions/{transactionId} a mostra inteira.'),
          }),
        ),
      ),
    }),
  ),
  next_cursor: countText.nullable().describe('Envie como cursor para a próxima página; null na última.'),
});
