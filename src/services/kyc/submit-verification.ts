import { invalidateAccountCaches } from '#db/api-keys/api-keys.ts';
import { submitVerification as submit } from '#db/kyc/kyc.ts';
import { PanelError } from '#domain/errors/panel-error.ts';
import { type KycFieldFault, type KycForm, kycFormFaults, normaliseKycForm } from '#domain/kyc/kyc-form.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { sealForm } from './kyc-seals.ts';

type SubmitDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'>;

/**
 * Hands a merchant's form and documents in for the operator's decision. Errors: invalid (its details name faulty fields by their fault,
 * and `documents` with the kinds that are missing), not_now.
 */
export async function submitVerification(
  deps: SubmitDeps,
  who: { member: Member; origin: Origin },
  form: KycForm,
): Promise<void> {
  const { merchantId } = who.member;
  const now = deps.clock();
  const faults: { field: string; fault: KycFieldFault }[] = kycFormFaults(form, dateInSaoPaulo(now));
  if (faults.length > 0) {
    throw new PanelError('invalid', { details: faults.map(({ field, fault }) => ({ field, message: fault })) });
  }
  const id = uuidv7(now);
  const { kind } = form;
  const sealed = sealForm(deps, id, normaliseKycForm(form));
  const outcome = await submit(deps.db, { id, merchantId, kind, sealed, now });
  if (outcome === 'not_now') throw new PanelError('not_now');
  if (outcome !== 'submitted') {
    throw new PanelError('invalid', { details: outcome.missing.map((message) => ({ field: 'documents', message })) });
  }
  // A refused merchant is pending again, on REST too.
  await invalidateAccountCaches(deps.db.pool, merchantId);
  await recordAudit(deps, who, 'kyc.submitted', { submission_id: id, kind });
}
