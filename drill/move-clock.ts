/**
 * Loaded by `--import` into a process of the service: moves the time that it reads as its parent
 * says. The product has no such setting, so that nobody can set it in production; clocks that
 * measure durations (performance.now, timers) are not moved, as on a machine whose clock is set.
 */
export type ClockOrder = { clockOffsetMs: number };

const RealDate = Date;
let offsetMs = 0;
const now = () => RealDate.now() + offsetMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

process.on('message', (order: Partial<ClockOrder>) => {
  if (order.clockOffsetMs !== undefined) offsetMs = order.clockOffsetMs;
});
