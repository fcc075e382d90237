import { type ReactNode, Suspense, useState } from 'react';

/**
 * What is loaded when it is first wanted, and stays from then on: what is open can close. Until it
 * is there its shape keeps its place.
 */
export function Once({ wanted, shape, children }: { wanted: boolean; shape?: ReactNode; children: ReactNode }) {
  const [wasWanted, setWanted] = useState(wanted);
  if (wanted && !wasWanted) setWanted(true);
  return wasWanted ? <Suspense fallback={shape}>{children}</Suspense> : shape;
}
