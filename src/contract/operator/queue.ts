import { z } from 'zod';
import { optional } from '../codecs.ts';
import { instantOutput, uuidInput } from '../fields.ts';

/** How many items a page has. */
const PAGE = 50;

/** Longer than the name of any kind of task. */
const KIND_LENGTH_MAX = 40;
const kind = z.string().min(1).max(KIND_LENGTH_MAX);

/** `waiting`: not processed yet. `unmatched`: it named nothing that is known, or was unreadable. */
export const CALLBACK_STATES = ['waiting', 'unmatched'] as const;

export const callbacksInput = z.object({
  state: optional(z.enum(CALLBACK_STATES)),
  /** The next_cursor of the page before. */
  cursor: optional(uuidInput),
  limit: z.int().min(1).max(PAGE).default(PAGE),
});

const callback = z.object({
  callback_id: z.string(),
  rail: z.string(),
  received_at: instantOutput,
  processed_at: instantOutput.nullable(),
  /** The outcome of each payment in it, one word each; null: it was not processed yet. */
  outcome: z.string().nullable(),
  /** Of the task that is to process it; null: there is none. */
  task: z.object({ attempts: z.int(), due_at: instantOutput, error: z.string().nullable() }).nullable(),
});

export const callbacksOutput = z.object({ callbacks: z.array(callback), next_cursor: z.string().nullable() });
export type ListedCallback = z.input<typeof callback>;

export const callbackInput = z.object({ callback_id: uuidInput });

export const failedTasksInput = z.object({
  kind: optional(kind),
  /** The next_cursor of the page before. */
  cursor: optional(z.object({ kind, subject_id: uuidInput })),
  limit: z.int().min(1).max(PAGE).default(PAGE),
});

const task = z.object({
  kind: z.string(),
  subject_id: z.string(),
  attempts: z.int(),
  due_at: instantOutput,
  error: z.string(),
});

export const failedTasksOutput = z.object({
  tasks: z.array(task),
  next_cursor: z.object({ kind: z.string(), subject_id: z.string() }).nullable(),
});
export type FailedTask = z.input<typeof task>;

export const taskInput = z.object({ kind, subject_id: uuidInput });

/** `due`: nothing was done, because it is in progress or due within half a minute. */
export const retryOutput = z.object({ outcome: z.enum(['queued', 'due']) });

/** How many tasks of each kind wait, and for how long the oldest that is due has. */
export const queueOutput = z.object({
  queue: z.array(z.object({ kind: z.string(), due: z.int(), scheduled: z.int(), oldest_due_seconds: z.number() })),
});
