import { describe, expect, it } from 'vitest';
import { messages } from './messages.ts';

describe('the texts of the pages', () => {
  it('exist in every language under the same keys, with the same placeholders', () => {
    expect(shapeOf(messages.en)).toEqual(shapeOf(messages['pt-BR']));
  });
});

/** Each text by its path, reduced to the placeholders that the page must fill. */
function shapeOf(node: object, path = ''): string[] {
  return Object.entries(node).flatMap(([key, value]) => {
    const here = `${path}.${key}`;
    return typeof value === 'string' ? [`${here} ${(value.match(/\{\w+\}/g) ?? []).sort()}`] : shapeOf(value, here);
  });
}
