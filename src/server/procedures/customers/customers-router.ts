import type { z } from 'zod';
import {
  customerFileOutput,
  customerInput,
  customerListInput,
  customerListOutput,
  customerOutput,
  customerTransactionsInput,
  customerTransactionsOutput,
  eraseCustomerInput,
  erasedCustomerOutput,
  erasurePlanOutput,
} from '#contract/customers/customers.ts';
import { maskDocument, maskPhone } from '#domain/encryption/masked.ts';
import { dayOf } from '#domain/reports/statement-period.ts';
import { chooseLanguage } from '#domain/values/language.ts';
import { messages } from '#messages/messages.ts';
import type { Member, Origin, Principal } from '#services/api-keys/principal.ts';
import { memberEntry } from '#services/audit/record-audit.ts';
import { eraseCustomer, planErasure } from '#services/customers/erase-customer.ts';
import { exportCustomer } from '#services/customers/export-customer.ts';
import { getCustomer, listCustomerTransactions } from '#services/customers/get-customer.ts';
import { type Customer, listCustomers } from '#services/customers/list-customers.ts';
import { fileName } from '../../panel/export-file.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { toListItemJson } from '../transactions/transaction-view.ts';

/** Who pays the account. */
export const customersRouter = router({
  list: memberProcedure
    .input(customerListInput)
    .output(encoded(customerListOutput))
    .query(async ({ ctx, input: { text, cursor } }) => {
      const { customers, nextCursor, hasMore } = await listCustomers(ctx.deps, ctx.principal.accountId, {
        text,
        cursor: cursor && { before: cursor.before, asOf: cursor.as_of },
      });
      return {
        customers: customers.map(presentCustomer),
        next_cursor: nextCursor && { before: nextCursor.before, as_of: nextCursor.asOf },
        has_more: hasMore,
      };
    }),

  get: memberProcedure
    .input(customerInput)
    .output(encoded(customerOutput))
    .query(async ({ ctx, input }) =>
      presentCustomer(await getCustomer(ctx.deps, ctx.principal.accountId, input.customer_id)),
    ),

  transactions: memberProcedure
    .input(customerTransactionsInput)
    .output(encoded(customerTransactionsOutput))
    .query(async ({ ctx, input }) => {
      const { transactions, nextCursor } = await listCustomerTransactions(ctx.deps, ctx.principal.accountId, {
        customerId: input.customer_id,
        cursor: input.cursor,
      });
      return { transactions: transactions.map(toListItemJson), next_cursor: nextCursor };
    }),

  /** No query, though it changes nothing: it is noted, and asks for a confirmation. */
  export: memberProcedure
    .meta({ confirm: 'recent' })
    .input(customerInput)
    .output(encoded(customerFileOutput))
    .mutation(async ({ ctx, input }) => {
      const { accountId, mode } = ctx.principal;
      const { text } = await exportCustomer(ctx.deps, accountId, {
        customerId: input.customer_id,
        max: EXPORTED_MAX,
        entryOf: (...act) => memberEntry(ctx.deps, whoIn(ctx), ...act),
      });
      const language = chooseLanguage(ctx.member.language);
      const name = fileName([messages[language].files.customer.name, dayOf(ctx.deps.clock())], {
        ...{ mode, language, extension: 'json' },
      });
      return { name, text };
    }),

  /** What `erase` would do now. */
  erasure: memberProcedure
    .input(customerInput)
    .output(encoded(erasurePlanOutput))
    .query(async ({ ctx, input }) => ({
      ...(await planErasure(ctx.deps, ctx.principal.accountId, input.customer_id)),
      retention_years: ctx.deps.settings.retentionYears,
    })),

  erase: memberProcedure
    .meta({ confirm: 'each' })
    .input(eraseCustomerInput)
    .output(encoded(erasedCustomerOutput))
    .mutation(async ({ ctx, input }) => {
      const { customerId, ...done } = await eraseCustomer(ctx.deps, ctx.principal.accountId, {
        customerId: input.customer_id,
        reason: input.reason,
        entryOf: (...act) => memberEntry(ctx.deps, whoIn(ctx), ...act),
      });
      return { ...done, customer_id: customerId, retention_years: ctx.deps.settings.retentionYears };
    }),
});

/** Some ten megabytes of text. */
const EXPORTED_MAX = 10_000;

const whoIn = ({ principal, member, panel }: { principal: Principal; member: Member; panel: { origin: Origin } }) => ({
  accountId: principal.accountId,
  member,
  origin: panel.origin,
});

/** A customer as pages see them: numbers of people masked. */
const presentCustomer = (customer: Customer): z.output<typeof customerOutput> => ({
  customer_id: customer.id,
  name: customer.name,
  email: customer.email,
  document: maskDocument(customer.document),
  document_type: customer.documentType,
  phone: customer.phone && maskPhone(customer.phone),
  paid_count: customer.paidCount,
  count: customer.count,
  paid: customer.paidCentavos,
  refunded: customer.refundedCentavos,
  total: customer.paidCentavos - customer.refundedCentavos,
  first_paid_at: customer.firstPaidAt,
  last_paid_at: customer.lastPaidAt,
  newest_at: customer.newestAt,
});
