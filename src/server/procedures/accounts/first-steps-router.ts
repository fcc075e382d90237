import { firstStepsOutput } from '#contract/accounts/first-steps-output.ts';
import { getFirstSteps } from '#services/accounts/get-first-steps.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

export const firstStepsRouter = router({
  /** What is left to do before money can come in. */
  get: memberProcedure.output(encoded(firstStepsOutput)).query(async ({ ctx: { deps, principal } }) => {
    const steps = await getFirstSteps(deps, principal.accountId);
    return {
      charged: steps.charged,
      charge_id: steps.chargeId,
      pending_charge_id: steps.pendingChargeId,
      paid: steps.paid,
      has_endpoint: steps.endpoint,
      has_test_receiver: steps.testReceiver,
      webhook_delivered: steps.delivered,
      kyc_status: principal.kycStatus,
      provider: steps.provider,
    };
  }),
});
