import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * Every link between pages. Next by itself fetches each link that comes into view, thirty of them
 * on a page of the panel; here a page is fetched when a pointer, a finger or the focus comes to its
 * link.
 */
export function Link({
  onMouseEnter,
  onMouseLeave,
  onFocus,
  onBlur,
  onTouchStart,
  ...props
}: Omit<ComponentProps<typeof NextLink>, 'prefetch'>) {
  const [isMeant, setMeant] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={isMeant}
      onMouseEnter={(event) => {
        setMeant(true);
        onMouseEnter?.(event);
      }}
      onMouseLeave={(event) => {
        setMeant(false);
        onMouseLeave?.(event);
      }}
      onFocus={(event) => {
        setMeant(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setMeant(false);
        onBlur?.(event);
      }}
      onTouchStart={(event) => {
        setMeant(true);
        onTouchStart?.(event);
      }}
    />
  );
}
