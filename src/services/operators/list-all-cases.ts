import { type AccountOwner, findOwners, ownerOf } from '#db/accounts/find-owners.ts';
import type { DisputeRow } from '#db/disputes/disputes.ts';
import type { Deps } from '../deps.ts';
import { listCases, listEndedCases } from '../disputes/manage-disputes.ts';

export type CaseOfAccount = DisputeRow & { owner: AccountOwner };

/** The open cases of every account with its owner, the earliest deadline first. */
export const listAllCases = async (deps: Pick<Deps, 'db'>): Promise<CaseOfAccount[]> =>
  withOwners(deps, await listCases(deps));

/** Those that have ended, newest first, page by page; `next` is null at the end. */
export async function listAllEndedCases(
  deps: Pick<Deps, 'db'>,
  page: { before: string | null; limit: number },
): Promise<{ cases: CaseOfAccount[]; next: string | null }> {
  const { cases, next } = await listEndedCases(deps, page);
  return { cases: await withOwners(deps, cases), next };
}

async function withOwners({ db }: Pick<Deps, 'db'>, cases: readonly DisputeRow[]): Promise<CaseOfAccount[]> {
  const owners = await findOwners(
    db,
    cases.map(({ accountId }) => accountId),
  );
  return cases.map((one) => ({ ...one, owner: ownerOf(owners, one) }));
}
