import {
  endTime,
  expediteCheck,
  findSandboxSubject,
  listOpenSubjects,
  type SandboxSubject,
} from '#db/sandbox/sandbox-subjects.ts';
import { openTransaction } from '#db/transactions/transaction-texts.ts';
import { EXPIRY_GRACE_MS } from '#domain/charges/charge-settlement.ts';
import { DomainError } from '#domain/errors/domain-error.ts';
import { invalidField } from '#domain/errors/invalid-field.ts';
import { fieldIssue } from '#domain/errors/issues.ts';
import { isSandboxRail, type SandboxCommand, sandboxCommands } from '#domain/sandbox/sandbox-commands.ts';
import { toDecimal } from '#domain/values/money.ts';
import { isUuid, uuidToTxid } from '#domain/values/uuid.ts';
import { ownCredentialId } from '#rails/registry.ts';
import type { SandboxControl, SandboxOutcome } from '#rails/sandbox-control.ts';
import type { ActingMember } from '../api-keys/principal.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Deps } from '../deps.ts';

/**
 * How far back the list of open transactions goes: a tester has made the one that they want a
 * moment ago.
 */
const OPEN_SINCE_MS = 2 * 24 * 60 * 60_000;
/** The most in that list; all are on the page of transactions. */
const OPEN_MAX = 10;

export type ShownSubject = SandboxSubject & { commands: SandboxCommand[] };

/** What can be done with the sandbox, and by whom. */
export type SandboxState = {
  /** Whether accounts of this kind have a sandbox. */
  available: boolean;
  /** The value of each switch; null where it is unknown. */
  switches: Record<string, string> | null;
  maySwitch: boolean;
};

type Account = { accountId: string; mode: 'live' | 'test' };

/** The state of the sandbox for this account. */
export async function getSandboxState(deps: Deps, account: Account): Promise<SandboxState> {
  const sandbox = sandboxFor(deps, account);
  if (!sandbox) return { available: false, switches: null, maySwitch: false };
  const answer = await sandbox.switches();
  if (answer.outcome !== 'done') deps.log.warn({ reason: answer.reason }, 'The sandbox does not say how it stands.');
  return {
    available: true,
    switches: answer.outcome === 'done' ? answer.value : null,
    maySwitch: maySwitch(deps, account),
  };
}

/**
 * The newest charges and invoices of the last two days that wait for their payer on sandbox rails,
 * at most OPEN_MAX.
 */
export async function listSandboxSubjects(deps: Deps, account: Account): Promise<ShownSubject[]> {
  if (!sandboxFor(deps, account)) return [];
  const since = new Date(deps.clock().getTime() - OPEN_SINCE_MS);
  const open = await listOpenSubjects(deps.db.pool, { accountId: account.accountId, since, limit: OPEN_MAX });
  const played = await Promise.all(open.map(({ rail }) => isPlayed(deps, rail)));
  return open.filter((_, at) => played[at]).map((one) => withCommands(openTransaction(deps.secretBox, one), true));
}

/**
 * One transaction and what can be done to it. Throws DomainError `not_found`, also for another
 * account's.
 */
export async function getSandboxSubject(deps: Deps, account: Account, id: string): Promise<ShownSubject> {
  const subject = isUuid(id) ? await findSandboxSubject(deps.db.pool, account.accountId, id) : null;
  if (!subject) throw new DomainError('not_found');
  return withCommands(openTransaction(deps.secretBox, subject), await isPlayed(deps, subject.rail));
}

export type SandboxCommandInput = {
  transactionId: string;
  command: SandboxCommand;
  /** For `pay_other`. */
  amountCentavos: bigint | null;
  /** For `pay_part`: the share of the requested amount. */
  sharePercent: number | null;
};

/**
 * Runs a command on one transaction of this account in the sandbox, never at a real provider.
 * Returns its state right after; what follows arrives as from a real provider, by callback. Throws
 * DomainError `not_found`, `invalid_input` (an amount or a share is missing), and `invalid_state`,
 * whose param `why` is `not_sandbox`, `silent` (the sandbox did not answer), or a code of the
 * sandbox.
 */
export async function runSandboxCommand(
  deps: Deps,
  account: Account,
  command: SandboxCommandInput,
): Promise<ShownSubject> {
  const subject = await getSandboxSubject(deps, account, command.transactionId);
  const sandbox = sandboxFor(deps, account);
  if (!sandbox || !(await isPlayed(deps, subject.rail))) throw invalidState('not_sandbox');
  await perform(deps, sandbox, subject, account.accountId, command);
  return getSandboxSubject(deps, account, subject.id);
}

/**
 * Sets a switch of the whole sandbox. It affects every merchant of the installation, so only a
 * demonstration leaves it to its members, and only in test mode; elsewhere it is the operator's
 * (`trilho sandbox set`). Throws DomainError `invalid_state` (`why`: `shared`, `silent`) and
 * `invalid_input`.
 */
export async function setSandboxSwitch(
  deps: Deps,
  who: ActingMember,
  { name, value }: { name: string; value: string },
): Promise<SandboxState> {
  const sandbox = sandboxFor(deps, who);
  if (!sandbox || !maySwitch(deps, who)) throw invalidState('shared');
  const answer = await sandbox.setSwitch(name, value);
  if (answer.outcome === 'rejected') throw new DomainError('invalid_input');
  if (answer.outcome === 'unknown') throw silent(deps, answer.reason);
  await recordAudit(deps, who, 'sandbox.switch_set', { name, value });
  return { available: true, switches: answer.value, maySwitch: true };
}

async function perform(
  deps: Deps,
  sandbox: SandboxControl,
  subject: SandboxSubject,
  accountId: string,
  { command, amountCentavos, sharePercent }: SandboxCommandInput,
): Promise<void> {
  const txid = uuidToTxid(subject.id);
  const now = deps.clock();
  const settle = (answer: SandboxOutcome<null>) => expectDone(deps, answer);
  switch (command) {
    case 'pay':
      return settle(await sandbox.pay({ txid }));
    case 'pay_other':
      if (amountCentavos === null || subject.type !== 'pix_in') throw missing('amount');
      return settle(await sandbox.pay({ txid, amount: toDecimal(amountCentavos) }));
    case 'pay_part':
      if (sharePercent === null || subject.type !== 'crypto_in') throw missing('share_percent');
      return settle(await sandbox.pay({ txid, share: (sharePercent / 100).toFixed(2) }));
    case 'pay_unconfirmed':
      return settle(await sandbox.pay({ txid, unconfirmed: true }));
    case 'pay_again':
    case 'pay_late':
      return settle(await sandbox.pay({ txid, force: true }));
    case 'confirm':
      return settle(await sandbox.confirm(txid));
    case 'expire': {
      settle(await sandbox.expire(txid));
      // A payment of the last second may still arrive, as at a real provider.
      const checkAt = new Date(now.getTime() + (subject.type === 'pix_in' ? EXPIRY_GRACE_MS : 0));
      await endTime(deps.db.pool, { accountId, id: subject.id, now, checkAt });
      return deps.wakeWorkers();
    }
    case 'remove':
      settle(await sandbox.remove(txid));
      // PSPs send no callback for it. Only a query shows it, so it is polled now instead of half a
      // minute later.
      await expediteCheck(deps.db.pool, subject.id, now);
      return deps.wakeWorkers();
  }
}

/** Test accounts always use the sandbox; live ones do in a demonstration. */
const sandboxFor = (deps: Deps, { mode }: Account): SandboxControl | null =>
  mode === 'test' || deps.settings.demo ? deps.sandbox : null;

const maySwitch = (deps: Deps, { mode }: Account): boolean => deps.settings.demo && mode === 'test';

/**
 * Whether a rail is the sandbox's. In a demonstration an account's own credentials can only be the
 * sandbox's.
 */
async function isPlayed({ settings, rails }: Deps, rail: string): Promise<boolean> {
  if (isSandboxRail(rail)) return true;
  if (!settings.demo || ownCredentialId(rail) === null) return false;
  return ((await rails.pixNamed(rail)) ?? (await rails.cryptoNamed(rail))) !== null;
}

const withCommands = (subject: SandboxSubject, played: boolean): ShownSubject => ({
  ...subject,
  commands: played ? sandboxCommands(subject) : [],
});

function expectDone(deps: Deps, answer: SandboxOutcome<null>): void {
  if (answer.outcome === 'rejected') throw invalidState(answer.why);
  if (answer.outcome === 'unknown') throw silent(deps, answer.reason);
}

const invalidState = (why: string) => new DomainError('invalid_state', { params: { why } });
const missing = (field: string) => invalidField(fieldIssue(field, 'missing'));

function silent(deps: Deps, reason: string): DomainError {
  deps.log.warn({ reason }, 'The sandbox did not answer.');
  return invalidState('silent');
}
