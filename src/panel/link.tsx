import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

type Props = Omit<ComponentProps<typeof NextLink>, 'prefetch'>;

/**
 * Every link between pages. Next alone fetches each link that comes into view, thirty of them on a
 * page of the panel; this one fetches its page when a pointer, a finger or the focus comes to it.
 */
export function Link({ onMouseEnter, onMouseLeave, onFocus, onBlur, onTouchStart, ...props }: Props) {
  const [isMeant, setMeant] = useState(false);
  const set =
    <Event,>(meant: boolean, then?: (event: Event) => void) =>
    (event: Event) => {
      setMeant(meant);
      then?.(event);
    };
  return (
    <NextLink
      {...props}
      prefetch={isMeant}
      onMouseEnter={set(true, onMouseEnter)}
      onMouseLeave={set(false, onMouseLeave)}
      onFocus={set(true, onFocus)}
      onBlur={set(false, onBlur)}
      onTouchStart={set(true, onTouchStart)}
    />
  );
}
