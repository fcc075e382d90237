import type { SandboxSubjectView } from '#contract/sandbox/sandbox.ts';

/** A transaction's title, as lists have it: its customer, its description, or the end of its id. */
export const subjectTitle = (subject: SandboxSubjectView): string =>
  subject.customer_name ?? subject.description ?? `…${subject.transaction_id.slice(-6)}`;
