import type { FieldIssue, Issue } from '#domain/errors/issues.ts';
import { fillIn } from '#domain/values/fill-in.ts';
import { messages } from '#messages/messages.ts';

const TEXTS = messages['pt-BR'].issues;

/** What the REST API says of an issue: Portuguese, as its contract is. */
export const issueText = ({ issue, params }: Issue): string => fillIn(TEXTS[issue], params);

/** A field with an issue as REST's bodies have it. */
export const issueDetail = (issue: FieldIssue): { field: string; message: string } => ({
  field: issue.field,
  message: issueText(issue),
});
