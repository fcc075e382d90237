import type { z } from 'zod';
import {
  customerInput,
  customerListInput,
  customerListOutput,
  customerOutput,
  customerTransactionsInput,
  customerTransactionsOutput,
} from '#contract/customers/customers.ts';
import { maskDocument, maskPhone } from '#domain/encryption/masked.ts';
import { getCustomer, listCustomerTransactions } from '#services/customers/get-customer.ts';
import { type Customer, listCustomers } from '#services/customers/list-customers.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';
import { toListItemJson } from '../transactions/transaction-view.ts';

/** Who pays the account. */
export const customersRouter = router({
  list: memberProcedure
    .input(customerListInput)
    .output(encoded(customerListOutput))
    .query(async ({ ctx, input }) => {
      const { customers, nextCursor, hasMore } = await listCustomers(ctx.deps, ctx.principal.accountId, input);
      return { customers: customers.map(presentCustomer), next_cursor: nextCursor, has_more: hasMore };
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
