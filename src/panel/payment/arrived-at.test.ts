import { afterEach, expect, test, vi } from 'vitest';
import { arrivedAt } from './arrived-at.ts';

const NOW = Date.parse('2026-11-20T15:00:00.000Z');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page that began to arrive 300 ms ago, in a browser whose time origin is wrong by hours. */
function inBrowser(entries: { responseStart: number }[]): void {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  vi.stubGlobal('window', {});
  vi.stubGlobal('performance', { now: () => 400, timeOrigin: NOW - 7_200_000, getEntriesByType: () => entries });
}

test('a page’s arrival goes by the clock of now, also where it was set since the browser was started', () => {
  inBrowser([{ responseStart: 100 }]);
  expect(arrivedAt()).toBe(NOW - 300);
});

test('a page in a browser that does not time its pages arrives when its code runs', () => {
  inBrowser([]);
  expect(arrivedAt()).toBe(NOW);
});
