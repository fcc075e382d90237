import { expect, test } from 'vitest';
import { answerCodesWith, askCode } from './ask-code.ts';

test('calls that ask for a code at once share one dialog and its answer, and a later one opens its own', async () => {
  const answers: ((answered: boolean) => void)[] = [];
  answerCodesWith(() => new Promise((resolve) => answers.push(resolve)));
  const asked = Promise.all([askCode(), askCode()]);
  expect(answers).toHaveLength(1);
  answers[0]?.(true);
  expect(await asked).toEqual([true, true]);
  const later = askCode();
  expect(answers).toHaveLength(2);
  answers[1]?.(false);
  expect(await later).toBe(false);
});
