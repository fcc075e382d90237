import { z } from 'zod';
import { clockAdvanceInput, clockOutput } from '#contract/accounts/test-clock.ts';
import { advanceTestClock, type ClockState, getTestClock } from '#services/accounts/test-clock.ts';
import { encoded } from '../encoded.ts';
import { accountProcedure, actingIn, router } from '../procedure.ts';

export const testClockRouter = router({
  get: accountProcedure
    .meta({
      permission: 'transactions:read',
      openapi: {
        method: 'GET',
        path: '/test-clock',
        operationId: 'getTestClock',
        tags: ['testClock'],
        protect: true,
      },
      rest: { errors: ['live_account_clock'] },
    })
    .input(z.object({}))
    .output(encoded(clockOutput))
    .query(async ({ ctx }) => present(await getTestClock(ctx.deps, ctx.principal))),

  advance: accountProcedure
    .meta({
      permission: 'charges:write',
      openapi: {
        method: 'POST',
        path: '/test-clock/advance',
        operationId: 'advanceTestClock',
        tags: ['testClock'],
        protect: true,
      },
      rest: { errors: ['invalid_input', 'live_account_clock', 'clock_moving'] },
    })
    .input(clockAdvanceInput)
    .output(encoded(clockOutput))
    .mutation(async ({ ctx, input }) =>
      present(await advanceTestClock(ctx.deps, actingIn(ctx), { id: ctx.subjectId, byMs: input.by })),
    ),
});

const present = ({ now, aheadMs, targetAt, stoppedWhy }: ClockState) => ({
  success: true as const,
  data: { now, ahead_seconds: Math.floor(aheadMs / 1000), target: targetAt, stopped: stoppedWhy },
});
