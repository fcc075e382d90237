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

/**
 * The issues that a schema found in `input`. A text that is not there is `required`; what is wrong
 * with other fields says what they have to be, also to whom left them out. Each is there once: zod
 * checks the length of a text in place of a list, too.
 */
export const issuesOfInput = (error: z.core.$ZodError, input: unknown): FieldIssue[] =>
  fieldIssuesOf(error)
    .map((found, index) =>
      found.issue === 'not_text' && valueAt(input, error.issues[index]?.path ?? []) === undefined
        ? { field: found.field, ...issueOf('required') }
        : found,
    )
    .filter((found, index, all) => all.findIndex((one) => isSame(one, found)) === index);

const isSame = (one: FieldIssue, other: FieldIssue): boolean => one.field === other.field && one.issue === other.issue;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((value: unknown, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/** The values of a choice as an issue's params: the last one apart, as a text lists them. */
export const choiceOf = (values: readonly string[]): { values: string; last: string } => ({
  values: values.slice(0, -1).join(', '),
  last: values.at(-1) ?? '',
});
