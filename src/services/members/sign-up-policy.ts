import { putSetting, readSetting } from '#db/connection/settings.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { isSignUpPolicy, type SignUpPolicy } from '#domain/members/sign-up-policy.ts';
import { type AsOperator, INSTALLATION, operatorEntry } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

type PolicyDeps = Pick<Deps, 'db' | 'secretBox'>;

/** Who may open an account of this installation: anybody, until the operator sets it. */
export async function getSignUpPolicy({ db, secretBox }: PolicyDeps): Promise<SignUpPolicy> {
  return policyIn(await readSetting(db, secretBox, 'sign-up'));
}

const policyIn = (stored: string | null): SignUpPolicy => (stored !== null && isSignUpPolicy(stored) ? stored : 'open');

/** Sets who may open an account, for every process at once: it is read with each request. */
export async function setSignUpPolicy(
  deps: PolicyDeps & Pick<Deps, 'clock'> & AsOperator,
  policy: SignUpPolicy,
): Promise<void> {
  const audit = (before: string | null) =>
    operatorEntry(deps, INSTALLATION, 'installation.sign_up_set', { from: policyIn(before), to: policy });
  await putSetting(deps.db, deps.secretBox, { name: 'sign-up', value: policy, audit });
}

/** Rejects a sign-up where not everybody may open an account. Errors: sign_up_closed. */
export async function demandOpenSignUp(deps: PolicyDeps): Promise<void> {
  if ((await getSignUpPolicy(deps)) !== 'open') throw new DomainError('sign_up_closed');
}
