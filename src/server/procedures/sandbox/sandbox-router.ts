import {
  sandboxCommandInput,
  sandboxStateOutput,
  sandboxSubject,
  sandboxSubjectInput,
  sandboxSubjectsOutput,
  sandboxSwitchInput,
} from '#contract/sandbox/sandbox.ts';
import {
  getSandboxState,
  getSandboxSubject,
  listSandboxSubjects,
  runSandboxCommand,
  type SandboxState,
  type ShownSubject,
  setSandboxSwitch,
} from '#services/sandbox/control-sandbox.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

export const sandboxRouter = router({
  state: memberProcedure
    .output(encoded(sandboxStateOutput))
    .query(async ({ ctx }) => presentState(await getSandboxState(ctx.deps, ctx.principal))),

  /** What waits for its payer. */
  subjects: memberProcedure.output(encoded(sandboxSubjectsOutput)).query(async ({ ctx }) => {
    const subjects = await listSandboxSubjects(ctx.deps, ctx.principal);
    return { subjects: subjects.map(present) };
  }),

  subject: memberProcedure
    .input(sandboxSubjectInput)
    .output(encoded(sandboxSubject))
    .query(async ({ ctx, input }) => present(await getSandboxSubject(ctx.deps, ctx.principal, input.transaction_id))),

  command: memberProcedure
    .input(sandboxCommandInput)
    .output(encoded(sandboxSubject))
    .mutation(async ({ ctx, input }) => {
      const subject = await runSandboxCommand(ctx.deps, ctx.principal, {
        transactionId: input.transaction_id,
        command: input.command,
        amountCentavos: input.amount,
        sharePercent: input.share_percent,
      });
      return present(subject);
    }),

  setSwitch: memberProcedure
    .input(sandboxSwitchInput)
    .output(encoded(sandboxStateOutput))
    .mutation(async ({ ctx: { deps, principal, member, panel }, input }) => {
      const who = { accountId: principal.accountId, mode: principal.mode, member, origin: panel.origin };
      return presentState(await setSandboxSwitch(deps, who, input));
    }),
});

const presentState = ({ available, switches, maySwitch }: SandboxState) => ({
  available,
  switches,
  may_switch: maySwitch,
});

const present = (subject: ShownSubject) => ({
  transaction_id: subject.id,
  type: subject.type,
  status: subject.status,
  sub_status: subject.subStatus,
  amount: subject.amountCentavos,
  currency: subject.currency,
  description: subject.description,
  customer_name: subject.customerName,
  created_at: subject.createdAt,
  expires_at: subject.expiresAt,
  commands: subject.commands,
});
