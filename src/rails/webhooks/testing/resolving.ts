import type { lookup } from 'node:dns';

/**
 * A resolver of names that gives each of these addresses in turn, and the last one from then on, as
 * an attacker's does.
 */
export const resolving = (...addresses: string[]) =>
  ((_name: string, options: { all?: boolean }, done: (...args: unknown[]) => void) => {
    const address = addresses.length > 1 ? addresses.shift() : addresses[0];
    const family = address?.includes(':') ? 6 : 4;
    if (options.all) done(null, [{ address, family }]);
    else done(null, address, family);
  }) as typeof lookup;
