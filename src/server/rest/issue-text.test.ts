import { expect, test } from 'vitest';
import { choiceOf } from '#contract/issues/issue-message.ts';
import { issueText } from './issue-text.ts';

test('REST reads an issue as a Portuguese sentence', () => {
  expect(issueText({ issue: 'too_long', params: { max: 140 } })).toBe('Deve ter no máximo 140 caracteres.');
  expect(issueText({ issue: 'not_one_of', params: choiceOf(['deposit', 'withdrawal', 'usdt']) })).toBe(
    'Deve ser deposit, withdrawal ou usdt.',
  );
});
