import { z } from 'zod';
import { SANDBOX_COMMANDS, SHARE_PERCENT_MAX } from '#domain/sandbox/sandbox-commands.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '#domain/transactions/transaction-states.ts';
import { brlInput, brlOutput } from '../amounts.ts';
import { optional } from '../codecs.ts';
import { instantOutput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';

/** Panel only: the sandbox's controls. */

/** The names of switches and of their values are all shorter. */
const NAME_LENGTH_MAX = 40;

const SHARE_ISSUE = issue('not_integer', { min: 1, max: SHARE_PERCENT_MAX });

export const sandboxSubject = z.object({
  transaction_id: z.uuid(),
  type: z.enum(TRANSACTION_TYPES as readonly ['pix_in', 'pix_out', 'crypto_in', 'crypto_out']),
  status: z.enum(TRANSACTION_STATUSES),
  sub_status: z.string().nullable(),
  amount: brlOutput,
  currency: z.string().nullable(),
  description: z.string().nullable(),
  customer_name: z.string().nullable(),
  created_at: instantOutput,
  expires_at: instantOutput.nullable(),
  /** The commands that it can take now; none where no sandbox handles it. */
  commands: z.array(z.enum(SANDBOX_COMMANDS)),
});

export const sandboxSubjectsOutput = z.object({ subjects: z.array(sandboxSubject) });
/** Not checked here: a text that is no id is not found. */
export const sandboxSubjectInput = z.object({ transaction_id: z.string() });

export const sandboxCommandInput = z.object({
  transaction_id: z.string(),
  command: z.enum(SANDBOX_COMMANDS),
  /** For pay_other. */
  amount: optional(brlInput),
  /** For pay_part: percent of the amount asked for; above 100 overpays. */
  share_percent: optional(
    z.int({ error: SHARE_ISSUE }).min(1, { error: SHARE_ISSUE }).max(SHARE_PERCENT_MAX, { error: SHARE_ISSUE }),
  ),
});

export const sandboxStateOutput = z.object({
  available: z.boolean(),
  switches: z.record(z.string(), z.string()).nullable().describe('By name; null: the sandbox does not answer.'),
  may_switch: z.boolean(),
});

export const sandboxSwitchInput = z.object({
  name: z.string().min(1).max(NAME_LENGTH_MAX),
  value: z.string().min(1).max(NAME_LENGTH_MAX),
});

export type SandboxSubjectView = z.input<typeof sandboxSubject>;
export type SandboxStateView = z.input<typeof sandboxStateOutput>;
