import { z } from 'zod';
import { getFirstSteps } from '#services/get-first-steps.ts';
import { memberProcedure, router } from './procedure.ts';

export const firstStepsRouter = router({
  /** What is left to do before money can come in. */
  get: memberProcedure
    .output(
      z.object({
        charge_id: z.string().nullable(),
        pending_charge_id: z.string().nullable(),
        paid: z.boolean(),
        has_endpoint: z.boolean(),
        webhook_delivered: z.boolean(),
        kyc_status: z.enum(['pending', 'approved', 'rejected']),
      }),
    )
    .query(async ({ ctx: { deps, principal } }) => {
      const steps = await getFirstSteps(deps, principal.accountId);
      return {
        charge_id: steps.chargeId,
        pending_charge_id: steps.pendingChargeId,
        paid: steps.paid,
        has_endpoint: steps.endpoint,
        webhook_delivered: steps.delivered,
        kyc_status: principal.kycStatus,
      };
    }),
});
