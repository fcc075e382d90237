import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldIssuesOf, issue, issuesOfInput, readIssue } from './issue-message.ts';

test('an issue goes through the message of a schema unchanged', () => {
  const schema = z.object({
    name: z.string({ error: issue('not_text') }).max(3, { error: issue('too_long', { max: 3 }) }),
  });
  const read = (name: unknown) => fieldIssuesOf(schema.safeParse({ name }).error as z.ZodError);
  expect(read(7)).toEqual([{ field: 'name', issue: 'not_text', params: {} }]);
  expect(read('four')).toEqual([{ field: 'name', issue: 'too_long', params: { max: 3 } }]);
});

test('a text that was left out is required, and another value in its place is no text', () => {
  const schema = z.object({ owner: z.object({ name: z.string({ error: issue('not_text') }) }) });
  const read = (owner: object) =>
    issuesOfInput(schema.safeParse({ owner }).error as z.ZodError, { owner }).map((found) => found.issue);
  expect([read({}), read({ name: 7 }), read({ name: null })]).toEqual([['required'], ['not_text'], ['not_text']]);
});

test('a text in place of a list is one issue, also where its length would be wrong for the list', () => {
  const error = issue('not_some_of', { values: 'a, b' });
  const schema = z.object({ types: z.array(z.enum(['a', 'b'], { error }), { error }).max(2, { error }) });
  const read = (types: unknown) =>
    issuesOfInput(schema.safeParse({ types }).error as z.ZodError, { types }).map(({ field }) => field);
  expect([read('abc'), read(['c', 'a', 'd'])]).toEqual([['types'], ['types.0', 'types.2', 'types']]);
});

test('a message of zod’s own becomes the issue not_valid, and its text reaches no caller', () => {
  expect(readIssue('Invalid input: expected string, received number')).toEqual({ issue: 'not_valid', params: {} });
  expect(readIssue('toString')).toEqual({ issue: 'not_valid', params: {} });
});
