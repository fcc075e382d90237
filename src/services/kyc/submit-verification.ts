import { submitVerification as submit } from '#db/kyc/kyc.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { type KycForm, kycFormIssues, normaliseKycForm } from '#domain/kyc/kyc-form.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { uuidv7 } from '#domain/values/uuid.ts';
import { ownTime } from '../accounts/on-test-clock.ts';
import type { Member, Origin } from '../api-keys/principal.ts';
import { memberEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';
import { sealForm } from './kyc-seals.ts';

type SubmitDeps = Pick<Deps, 'db' | 'clock' | 'secretBox'>;

/**
 * Submits a merchant's form and documents for the operator's decision. Errors: invalid_input (with
 * the issues of the fields, or one of `documents` for each kind that is missing), invalid_state
 * (approved, or a decision is awaited).
 */
export async function submitVerification(
  deps: SubmitDeps,
  who: { member: Member; origin: Origin },
  form: KycForm,
): Promise<void> {
  const { merchantId } = who.member;
  const now = ownTime(deps);
  const issues = kycFormIssues(form, dateInSaoPaulo(now));
  if (issues.length > 0) throw new DomainError('invalid_input', { details: issues });
  const id = uuidv7(now);
  const { kind } = form;
  const sealed = sealForm(deps, id, normaliseKycForm(form));
  const audit = memberEntry(deps, who, 'kyc.submitted', { submission_id: id, kind });
  const outcome = await submit(deps.db, { id, merchantId, kind, sealed, now, audit });
  if (outcome === 'invalid_state') throw new DomainError('invalid_state');
  if (outcome !== 'submitted') {
    const details = outcome.missing.map((kind) => fieldIssue('documents', 'document_missing', { kind }));
    throw new DomainError('invalid_input', { details });
  }
}
