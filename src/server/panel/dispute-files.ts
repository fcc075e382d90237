import { z } from 'zod';
import { disputeFileOutput } from '#contract/disputes/dispute-case.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { inTimeOf } from '#services/accounts/on-test-clock.ts';
import type { Deps } from '#services/deps.ts';
import { addDisputeFile, readDisputeFile } from '#services/disputes/manage-dispute-files.ts';
import { presentDisputeFile } from '../procedures/disputes/dispute-view.ts';
import type { ReadFile } from './send-uploaded-file.ts';
import type { KeepFile } from './uploads.ts';

/**
 * Stores evidence of a case, whose deadline is in the account's time: `?dispute=…`. A suspended
 * account changes nothing, here as in procedures.
 */
export const keepDisputeFile =
  (deps: Deps): KeepFile =>
  async ({ query, member, origin, principal }, file) => {
    if (principal.suspendedAt !== null) throw new DomainError('account_suspended');
    const who = { member, origin, accountId: principal.accountId };
    const kept = await addDisputeFile(await inTimeOf(deps, principal), who, {
      ...file,
      disputeId: query.get('dispute') ?? '',
    });
    return z.encode(disputeFileOutput, presentDisputeFile(kept));
  };

/** Reads a file of a case of the account: `?dispute=…&id=…`. */
export const openDisputeFile =
  (deps: Deps): ReadFile =>
  ({ query, principal }) =>
    readDisputeFile(deps, principal.accountId, {
      disputeId: query.get('dispute') ?? '',
      id: query.get('id') ?? '',
    });
