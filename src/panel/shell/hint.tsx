import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

/** A tooltip beside an element while it is pointed at. */
export const Hint = ({ target, label }: { target: RefObject<HTMLElement | null>; label: string }) => (
  <Tooltip
    target={target}
    defaultOpened
    label={label}
    events={{ hover: true, focus: false, touch: true }}
    withArrow
    multiline
    maw={280}
  />
);
