import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldIssuesOf, issue, readIssue } from './issue-message.ts';

test('an issue goes through the message of a schema unchanged', () => {
  const schema = z.object({
    name: z.string({ error: issue('not_text') }).max(3, { error: issue('too_long', { max: 3 }) }),
  });
  const read = (name: unknown) => fieldIssuesOf(schema.safeParse({ name }).error as z.ZodError);
  expect(read(7)).toEqual([{ field: 'name', issue: 'not_text', params: {} }]);
  expect(read('four')).toEqual([{ field: 'name', issue: 'too_long', params: { max: 3 } }]);
});

test('a message of zod’s own becomes the issue not_valid, and its text reaches no caller', () => {
  expect(readIssue('Invalid input: expected string, received number')).toEqual({ issue: 'not_valid', params: {} });
  expect(readIssue('toString')).toEqual({ issue: 'not_valid', params: {} });
});
