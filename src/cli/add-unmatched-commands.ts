import type { Command } from 'commander';
import type { ForeignPayoutRow } from '#db/unmatched/foreign-payouts.ts';
import { toDecimal } from '#domain/values/money.ts';
import { byOperator } from '#services/unmatched/by-operator.ts';
import {
  chargePayout,
  type ForeignPayoutDecision,
  listAllForeignPayouts,
  writeOffPayout,
} from '#services/unmatched/decide-foreign-payout.ts';
import {
  assignPayment,
  depositPayment,
  listUnmatchedPayments,
  returnPayment,
  type UnmatchedDecision,
  type UnmatchedPayment,
} from '#services/unmatched/decide-unmatched.ts';
import { asId } from './as-id.ts';
import { type CommandContext, withContext } from './context.ts';
import { print } from './print.ts';
import { readReason } from './read-reason.ts';
import { type Problems, rejectProblem } from './reject-problem.ts';

type Options = { json?: boolean; reason: string };

const UNKNOWN_ACCOUNT = 'There is no account of this id.';

const PROBLEMS: Problems<UnmatchedDecision> = {
  unknown: 'There is no such payment: "unmatched list" shows those that wait for a decision.',
  unknown_charge: 'There is no charge of this id.',
  unknown_account: UNKNOWN_ACCOUNT,
  decided: 'This payment waits for no decision any more: "unmatched list --all" shows how it was decided.',
  other_rail: 'The payment came over other credentials, or is of the other mode (live, test).',
  not_open: 'The charge is paid already, or in review: deposit the payment instead.',
  too_little: 'The payment is not enough for the charge’s fee and split: deposit or return it.',
};

const SENT_PROBLEMS: Problems<ForeignPayoutDecision> = {
  unknown: 'There is no money that left under this id: "unmatched list" shows what waits for a decision.',
  unknown_account: UNKNOWN_ACCOUNT,
  decided: 'No money that left waits for a decision under this id.',
  other_rail: 'It left over another account’s own credentials, or is of the other mode (live, test).',
};

/**
 * Adds the commands of payments without a charge (list, assign, deposit, return) and of money that
 * left without a request (write-off, charge).
 */
export function addUnmatchedCommands(program: Command): void {
  const unmatched = program
    .command('unmatched')
    .description('payments that pay no charge of ours, and money that left without a request');
  unmatched
    .command('list')
    .description('payments that wait for a decision, oldest first')
    .option('--all', 'decided ones too, newest first')
    .option('--json', 'answer in JSON')
    .action(async ({ all, json }: { all?: boolean; json?: boolean }) => {
      const { payments, sent } = await withContext(async (context) => ({
        payments: await listUnmatchedPayments(context, { waiting: !all, accountId: null }),
        sent: await listAllForeignPayouts(context, { waiting: !all, accountId: null }),
      }));
      print(json, [...payments.map(present), ...sent.map(presentSent)], () =>
        payments.length + sent.length === 0
          ? [all ? 'Every payment was of a charge.' : 'No payment waits for a decision.']
          : [
              ...payments.map((one) => line({ ...one, at: one.paidAt, centavos: one.leftCentavos, note: noteOf(one) })),
              ...sent.map((one) => line({ ...one, at: one.sentAt, centavos: -one.centavos, note: null })),
            ],
      );
    });
  unmatched
    .command('assign <payment> <charge>')
    .description('credit it as that of a charge that is not paid, also an expired one; the charge takes its amount')
    .requiredOption('--reason <text>', 'why, for the audit', readReason)
    .option('--json', 'answer in JSON')
    .action(async (id: string, typedCharge: string, options: Options) => {
      const chargeId = asId('charge', typedCharge);
      await decide(id, options, (context, decision) => assignPayment(context, { ...decision, chargeId }));
    });
  unmatched
    .command('deposit <payment> <account>')
    .description('credit it to an account without a charge, with the account’s fee')
    .requiredOption('--reason <text>', 'why, for the audit', readReason)
    .option('--json', 'answer in JSON')
    .action(async (id: string, typedAccount: string, options: Options) => {
      const toAccountId = asId('account', typedAccount);
      await decide(id, options, (context, decision) => depositPayment(context, { ...decision, toAccountId }));
    });
  unmatched
    .command('return <payment>')
    .description('send it back to the payer; the worker does it')
    .requiredOption('--reason <text>', 'why, for the audit', readReason)
    .option('--json', 'answer in JSON')
    .action((id: string, options: Options) => decide(id, options, returnPayment));
  unmatched
    .command('write-off <payment>')
    .description('take the loss of money that was sent in the bank’s application: no account pays it')
    .requiredOption('--reason <text>', 'why, for the audit', readReason)
    .option('--json', 'answer in JSON')
    .action((id: string, options: Options) =>
      decideSent(id, options, 'written off', (context, decision) => writeOffPayout(context, decision)),
    );
  unmatched
    .command('charge <payment> <account>')
    .description('have an account pay for money that was sent in the bank’s application; what it does not have it owes')
    .requiredOption('--reason <text>', 'why, for the audit', readReason)
    .option('--json', 'answer in JSON')
    .action(async (id: string, typedAccount: string, options: Options) => {
      const toAccountId = asId('account', typedAccount);
      await decideSent(id, options, 'charged', (context, decision) =>
        chargePayout(context, { ...decision, accountId: null, toAccountId }),
      );
    });
}

type Shown = {
  id: string;
  rail: string;
  state: string;
  endToEndId: string;
  at: Date;
  centavos: bigint;
  note: string | null;
};

const line = ({ id, rail, state, endToEndId, at, centavos, note }: Shown): string =>
  `${id}  ${at.toISOString()}  ${rail}  ${toDecimal(centavos).padStart(10)}  ${state}  ${endToEndId}${note ? `  "${note}"` : ''}`;

async function decide(
  typedId: string,
  { reason, json }: Options,
  act: (context: CommandContext, decision: Parameters<typeof returnPayment>[1]) => Promise<UnmatchedDecision>,
): Promise<void> {
  const id = asId('payment', typedId);
  const outcome = await withContext(async (context) => {
    const decision = { id, accountId: null, reason, by: byOperator(context.operator) };
    return rejectProblem(await act(context, decision), PROBLEMS);
  });
  print(json, { id, outcome }, () => [
    outcome === 'returning' ? `Payment ${id} is on its way back.` : `Payment ${id} is ${outcome}.`,
  ]);
}

async function decideSent(
  typedId: string,
  { reason, json }: Options,
  done: string,
  act: (context: CommandContext, decision: Parameters<typeof writeOffPayout>[1]) => Promise<ForeignPayoutDecision>,
): Promise<void> {
  const id = asId('payment', typedId);
  const outcome = await withContext(async (context) =>
    rejectProblem(await act(context, { id, reason, by: byOperator(context.operator) }), SENT_PROBLEMS),
  );
  print(json, { id, outcome }, () => [`Payment ${id} is ${done}.`]);
}

/** The payer's note, marked where the payer contests the payment. */
const noteOf = ({ contestedAs, payerNote }: UnmatchedPayment): string | null =>
  contestedAs === null ? payerNote : `contested (MED)  ${payerNote ?? ''}`.trimEnd();

/** With the amount below zero, because it left. */
const presentSent = (one: ForeignPayoutRow) => ({
  id: one.id,
  direction: 'sent',
  rail: one.rail,
  mode: one.mode,
  account_id: one.accountId,
  end_to_end_id: one.endToEndId,
  amount: toDecimal(-one.centavos),
  sent_at: one.sentAt.toISOString(),
  state: one.state,
  transaction_id: one.transactionId,
  reason: one.reason,
  decided_by: one.decidedBy,
  decided_at: one.decidedAt?.toISOString() ?? null,
});

const present = (one: UnmatchedPayment) => ({
  id: one.id,
  direction: 'received',
  rail: one.rail,
  mode: one.mode,
  account_id: one.accountId,
  end_to_end_id: one.endToEndId,
  txid: one.txid,
  amount: toDecimal(one.centavos),
  returned: toDecimal(one.returnedCentavos),
  paid_at: one.paidAt.toISOString(),
  payer_note: one.payerNote,
  contested_as: one.contestedAs,
  state: one.state,
  transaction_id: one.transactionId,
  reason: one.reason,
  decided_by: one.decidedBy,
  decided_at: one.decidedAt?.toISOString() ?? null,
});
