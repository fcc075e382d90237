import { expect, test } from 'vitest';
import { issueOf } from '#domain/errors/issues.ts';
import { issuesByField } from './issues-by-field.ts';

test('a form shows the first issue of a field, and begins at the first field that has one', () => {
  const issues = issuesByField([
    { field: 'cpf', ...issueOf('empty') },
    { field: 'cpf', ...issueOf('not_text') },
    { field: 'city', ...issueOf('empty') },
  ]);
  expect(Object.entries(issues)).toEqual([
    ['cpf', issueOf('empty')],
    ['city', issueOf('empty')],
  ]);
});
