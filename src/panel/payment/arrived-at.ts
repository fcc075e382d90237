/**
 * This device's time, in milliseconds, when the page began to arrive: its code runs later than
 * that. On the server, where nothing is shown that depends on it, and in old browsers, now. It is
 * reckoned back from now, because `performance.timeOrigin` goes by the clock as it was when the
 * browser was started, before the device slept or its clock was set.
 */
export function arrivedAt(): number {
  const [page] = typeof window === 'undefined' ? [] : performance.getEntriesByType('navigation');
  return Date.now() - (page ? performance.now() - (page as PerformanceNavigationTiming).responseStart : 0);
}
