import type { z } from 'zod';
import type { statementListOutput, statementOutput } from '#contract/reports/statement.ts';
import type { StatementEntry, StatementPage } from '#services/reports/get-statement.ts';

/** A page of a statement as the panel shows it. */
export const presentStatement = ({
  summary,
  entries,
  nextCursor,
}: StatementPage): z.output<typeof statementOutput> => ({
  summary: summary && {
    opening: summary.openingCentavos,
    credits: summary.creditCentavos,
    debits: summary.debitCentavos,
    closing: summary.closingCentavos,
    entries: summary.entries,
  },
  entries: entries.map((entry) => ({
    number: entry.version,
    name: entry.name,
    ...sharedFields(entry),
    at: entry.createdAt,
    transaction: entry.transactionId
      ? {
          id: entry.transactionId,
          type: typeOf(entry),
          description: entry.description,
          customer_name: entry.customerName,
          destination: entry.destination,
        }
      : null,
  })),
  next_cursor: nextCursor,
});

/** A page of a statement by the names of the REST API, without the texts of the transactions. */
export const toStatementJson = ({
  summary,
  entries,
}: StatementPage): Omit<z.output<typeof statementListOutput>['data'], 'balance'> => ({
  summary: summary && {
    opening_balance: summary.openingCentavos,
    credits: summary.creditCentavos,
    debits: summary.debitCentavos,
    closing_balance: summary.closingCentavos,
    entry_count: summary.entries,
  },
  entries: entries.map((entry) => ({
    entry_number: entry.version,
    type: entry.name,
    ...sharedFields(entry),
    created_at: entry.createdAt,
    transaction: entry.transactionId ? { transaction_id: entry.transactionId, type: typeOf(entry) } : null,
  })),
});

const sharedFields = (entry: StatementEntry) => ({
  day: entry.day,
  amount: entry.centavos,
  balance_after: entry.balanceAfterCentavos,
  fee: entry.feeCentavos === 0n ? null : entry.feeCentavos,
});

/** Of a part of another account's charge: the account's own row for it. */
const typeOf = (entry: StatementEntry) => (entry.isOwn ? entry.transactionType : 'split_in');
