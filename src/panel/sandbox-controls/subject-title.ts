import type { SandboxSubjectView } from '#contract/sandbox/sandbox.ts';

/** Whom or what it is about, as lists of transactions have it; at last the end of its id. */
export const subjectTitle = (subject: SandboxSubjectView): string =>
  subject.customer_name ?? subject.description ?? `…${subject.transaction_id.slice(-6)}`;
