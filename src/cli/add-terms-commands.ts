import type { Command } from 'commander';
import { typedTerms } from '#domain/accounts/terms-change.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { cancelPlannedTerms } from '#services/accounts/change-terms.ts';
import { listTerms, type TermsEntry } from '#services/accounts/list-terms.ts';
import { asId } from './as-id.ts';
import { CommandError, withContext } from './context.ts';
import { print } from './print.ts';

/** Adds `trilho account terms` and `cancel-terms`, below `account`; `set` changes and plans. */
export function addTermsCommands(account: Command): void {
  account
    .command('terms <accountId>')
    .description('what changed, or will change, of fees, limits, spread and tolerance, from when, by whom and why')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, { json }: { json?: boolean }) => {
      const accountId = asId('account', typedId);
      const entries = (await withContext((context) => listTerms(context, accountId)).catch(rejectTerms)).map(present);
      print(json, entries, () =>
        entries.length === 0
          ? ['Nothing has changed since the account was opened.']
          : entries.map(
              ({ change_id, effective_from, state, by, reason, terms }) =>
                `${change_id}  ${effective_from}  ${state.padEnd(9)}  ${by ?? '-'}  ${describeTerms(terms)}${reason === null ? '' : `  (${reason})`}`,
            ),
      );
    });
  account
    .command('cancel-terms <accountId> <changeId>')
    .description('cancel a change that is planned')
    .option('--json', 'answer in JSON')
    .action(async (typedId: string, typedChange: string, { json }: { json?: boolean }) => {
      const accountId = asId('account', typedId);
      const changeId = asId('change', typedChange);
      await withContext((context) => cancelPlannedTerms(context, { accountId, changeId })).catch(rejectTerms);
      print(json, { change_id: changeId, cancelled: true }, () => [`Cancelled ${changeId}.`]);
    });
}

/**
 * What changes, each term with what held before where that is known, e.g. `fee pix_in=99bps+10
 * (before: 0bps+0)`.
 */
export const describeTerms = (terms: Readonly<Record<string, string>>): string =>
  Object.entries(terms)
    .filter(([name]) => !name.endsWith('_before'))
    .map(([name, text]) => {
      const before = terms[`${name}_before`];
      return before === undefined ? `${name}=${text}` : `${name}=${text} (before: ${before})`;
    })
    .join(', ');

const present = ({ id, effectiveAt, state, createdBy, createdAt, reason, terms, before }: TermsEntry) => ({
  change_id: id,
  effective_from: effectiveAt.toISOString(),
  state,
  by: createdBy,
  at: createdAt.toISOString(),
  reason,
  terms: typedTerms(terms, before),
});

const PROBLEMS: Readonly<Record<string, string>> = {
  not_found: 'There is no account with this id: "account list" shows them all.',
  invalid_state: 'No change of this id is planned: "account terms" shows them.',
  too_many_planned: 'Too many changes are planned for this account: cancel one first.',
  empty: 'Say what changes: --fee, --limit, --spread or --tolerance.',
  not_in_coming_years: 'Give a day or an instant of the next two years.',
  range_reversed: 'The least amount of an operation would be above its largest.',
};

/** Throws CommandError with the words for what a service rejects, and any other error as it is. */
export function rejectTerms(error: unknown): never {
  const code = error instanceof DomainError ? (error.details?.[0]?.issue ?? error.code) : null;
  const text = code === null ? undefined : PROBLEMS[code];
  throw text === undefined ? error : new CommandError(text);
}
