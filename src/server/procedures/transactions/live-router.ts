import { tracked } from '@trpc/server';
import { z } from 'zod';
import { type LiveMessage, liveInput } from '#contract/transactions/live-input.ts';
import { listedTransaction } from '#contract/transactions/transactions.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import type { Deps } from '#services/deps.ts';
import { readable } from '#services/transactions/list-transactions.ts';
import type { LiveEvent } from '#services/transactions/live-stream.ts';
import { memberProcedure, router } from '../procedure.ts';
import { toTrpcError } from '../trpc-errors.ts';
import { toListItemJson } from './transaction-view.ts';

export const liveRouter = router({
  /**
   * Transactions of the account as they are created and change, and that a notice of the member
   * has arrived, over SSE. A browser that comes back misses nothing.
   */
  transactions: memberProcedure.input(liveInput).subscription(async function* ({ ctx, input, signal }) {
    if (input.account !== null && input.account !== ctx.principal.accountId) {
      throw toTrpcError(new DomainError('other_account'));
    }
    const events = ctx.deps.liveFeed.subscribe({
      accountId: ctx.principal.accountId,
      memberId: ctx.member.memberId,
      merchantId: ctx.member.merchantId,
      after: input.lastEventId,
      signal,
      stillAllowed: ctx.panel.stillSignedIn,
    });
    try {
      for await (const event of events) yield tracked(String(event.position), present(ctx.deps, event));
    } catch (error) {
      throw error instanceof DomainError ? toTrpcError(error) : error;
    }
  }),
});

const present = (deps: Pick<Deps, 'secretBox'>, event: LiveEvent): LiveMessage =>
  event.kind === 'transaction'
    ? {
        kind: 'transaction',
        transaction: z.encode(listedTransaction, toListItemJson(readable(deps, event.transaction))),
      }
    : { kind: event.kind };
