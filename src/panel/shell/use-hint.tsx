import { type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';

const Hint = lazyPart(() => import('./hint.tsx'), 'Hint');

/**
 * A hint for an element. A list has a hundred of them, so the tooltip is loaded and made only for
 * the one that is pointed at. `props` belong on the element, `hint` beside it.
 */
export function useHint<Thing extends HTMLElement>(label: string | undefined) {
  const thing = useRef<Thing>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  const hint: ReactNode = label && isPointedAt && (
    <Suspense fallback={null}>
      <Hint target={thing} label={label} />
    </Suspense>
  );
  const ref: RefObject<Thing | null> = thing;
  return { props: { ref, onPointerEnter: label ? () => setPointedAt(true) : undefined }, hint };
}
