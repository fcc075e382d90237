import type { z } from 'zod';
import { type FieldIssue, ISSUES, type Issue, type IssueCode, issueOf, type ParamsOf } from '#domain/errors/issues.ts';

/**
 * Encodes an issue as the message of a schema, e.g. `too_long {"max":200}`: zod and Standard Schema
 * pass only the message on to the caller. No person reads it; `readIssue` decodes it.
 */
export const issue = <C extends IssueCode>(code: C, ...params: ParamsOf<C>): string =>
  messageOf(issueOf(code, ...params));

export const messageOf = ({ issue, params }: Issue): string =>
  Object.keys(params).length === 0 ? issue : `${issue} ${JSON.stringify(params)}`;

/** The issue that a schema's message encodes; `not_valid` for zod's own messages. */
export function readIssue(message: string): Issue {
  const space = message.indexOf(' ');
  const code = space === -1 ? message : message.slice(0, space);
  if (!Object.hasOwn(ISSUES, code)) return issueOf('not_valid');
  return { issue: code as IssueCode, params: space === -1 ? {} : JSON.parse(message.slice(space + 1)) };
}

/** The issues that a schema found, each with the path of its field. */
export const fieldIssuesOf = ({ issues }: z.core.$ZodError): FieldIssue[] =>
  issues.map(({ path, message }) => ({ field: path.join('.'), ...readIssue(message) }));

/** The values of a choice as an issue's params: the last one apart, as a text lists them. */
export const choiceOf = (values: readonly string[]): { values: string; last: string } => ({
  values: values.slice(0, -1).join(', '),
  last: values.at(-1) ?? '',
});
