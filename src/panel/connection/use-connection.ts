import { useSyncExternalStore } from 'react';
import { connection } from './connection.ts';
import { isOutdated, onOutdated } from './outdated.ts';

const isOnDevice = () => navigator.onLine;

/**
 * Whether the service can be reached, whether the device has a network, and whether this page is of
 * an older version.
 */
export function useConnection(): { isReachable: boolean; isOnline: boolean; isOutdated: boolean } {
  const always = () => true;
  const never = () => false;
  const isReachable = useSyncExternalStore(connection.subscribe, connection.isReachable, always);
  const isOnline = useSyncExternalStore(connection.subscribe, isOnDevice, always);
  return { isReachable, isOnline, isOutdated: useSyncExternalStore(onOutdated, isOutdated, never) };
}
