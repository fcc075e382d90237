import type { FieldIssue, Issue, IssueCode } from '#domain/errors/issues.ts';
import { fillIn } from '#domain/values/fill-in.ts';
import { messages } from '#messages/messages.ts';

const TEXTS = messages['pt-BR'].issues;

/** What the REST API says of an issue: Portuguese, as its contract is. */
export const issueText = ({ issue, params }: Issue): string => fillIn(TEXTS[issue], params);

export type IssueDetail = { field: string; message: string; code: IssueCode };

/** A field with an issue as REST's bodies have it. */
export const issueDetail = (issue: FieldIssue): IssueDetail => ({
  field: issue.field,
  message: issueText(issue),
  code: issue.issue,
});
