import { useEffect, useRef } from 'react';

/**
 * Returns a function that makes a change of a list at once, or when its next page has come while
 * that is being read. For a page comes with what was shown when it was asked for, and reading the
 * list again would cancel it.
 */
export function useAfterNextPage({
  isFetchingNextPage,
}: {
  isFetchingNextPage: boolean;
}): (change: () => void) => void {
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    if (!isFetchingNextPage) for (const change of waiting.current.splice(0)) change();
  }, [isFetchingNextPage]);
  return (change) => {
    if (isFetchingNextPage) waiting.current.push(change);
    else change();
  };
}
