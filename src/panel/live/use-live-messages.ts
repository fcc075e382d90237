import { useEffect, useRef } from 'react';
import { type TabMessage, useLive } from './live-stream.tsx';

/** Calls the newest `onMessage` with every message of the tab's stream. */
export function useLiveMessages(onMessage: (message: TabMessage) => void): void {
  const { listen } = useLive();
  const newest = useRef(onMessage);
  useEffect(() => {
    newest.current = onMessage;
  });
  useEffect(() => listen((message) => newest.current(message)), [listen]);
}
