import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followPayment } from './follow-payment.ts';

/** The browser's EventSource, as far as the page uses it. */
class FakeSource extends EventTarget {
  static CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 1;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.all.push(this);
  }
  says(name: string, data?: unknown) {
    this.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) }));
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.all = [];
  vi.stubGlobal('EventSource', FakeSource);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const newest = () => FakeSource.all.at(-1) as FakeSource;

function follow() {
  const listener = { onPage: vi.fn(), onLive: vi.fn() };
  return { ...listener, end: followPayment('01a1', listener), live: () => listener.onLive.mock.lastCall?.[0] };
}

test('the page gets each state, and is live from the first one on', () => {
  const { onPage, live } = follow();
  expect(newest().url).toBe('/api/trpc/payment.follow?input=%7B%22transactionId%22%3A%2201a1%22%7D');
  newest().says('connected', {});
  expect(live()).toBe(undefined);
  newest().says('message', { status: 'pending' });
  newest().says('message', { status: 'paid' });
  expect(onPage.mock.calls).toEqual([[{ status: 'pending' }], [{ status: 'paid' }]]);
  expect(live()).toBe(true);
  newest().says('return', '');
  vi.advanceTimersByTime(60_000);
  expect([FakeSource.all.length, newest().readyState]).toEqual([1, FakeSource.CLOSED]);
});

test('a connection that is silent for longer than the server’s pings allow is replaced', () => {
  const { live } = follow();
  newest().says('message', {});
  vi.advanceTimersByTime(20_000);
  newest().says('ping');
  vi.advanceTimersByTime(20_000);
  expect(FakeSource.all).toHaveLength(1);
  vi.advanceTimersByTime(5_000);
  expect([FakeSource.all[0]?.readyState, live()]).toEqual([FakeSource.CLOSED, false]);
  vi.advanceTimersByTime(1);
  expect(FakeSource.all).toHaveLength(2);
});

test('while the browser reconnects by itself nothing is opened, and the page is not live', () => {
  const { live } = follow();
  newest().says('message', {});
  newest().readyState = 0;
  newest().says('error');
  vi.advanceTimersByTime(10_000);
  expect([FakeSource.all.length, live()]).toEqual([1, false]);
});

test.each(['serialized-error', 'error'])(
  'a stream that is rejected (%s) is opened again half a minute later',
  (name) => {
    const { end } = follow();
    if (name === 'error') newest().close();
    newest().says(name, {});
    vi.advanceTimersByTime(29_999);
    expect(FakeSource.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(FakeSource.all).toHaveLength(2);
    end();
    vi.advanceTimersByTime(120_000);
    expect([FakeSource.all.length, newest().readyState]).toEqual([2, FakeSource.CLOSED]);
  },
);
