import { expect, test } from 'vitest';
import { undoAll, withClosing } from './with-closing.ts';

test('withClosing undoes what was done, the last first, also when the work fails', async () => {
  const undone: string[] = [];
  const failing = withClosing(async (closing) => {
    closing.push(() => void undone.push('first'));
    closing.push(async () => void undone.push('second'));
    throw new Error('The work failed.');
  });
  await expect(failing).rejects.toThrow('The work failed.');
  expect(undone).toEqual(['second', 'first']);
});

test('a step of an interrupted run that never ends does not keep the others from being undone', async () => {
  const undone: string[] = [];
  const closing = [() => void undone.push('first'), () => new Promise<void>(() => {})];
  await undoAll(closing, 1);
  expect(undone).toEqual(['first']);
});
