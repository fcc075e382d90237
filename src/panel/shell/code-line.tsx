import type { MantineBreakpoint } from '@mantine/core';
import { Muted } from './muted.tsx';

/** An id or a code of a row, in a line below what the row is about. */
export const CodeLine = ({ children, ...props }: { children: string; visibleFrom?: MantineBreakpoint }) => (
  <Muted component="code" display="block" ff="monospace" fz="xs" {...props}>
    {children}
  </Muted>
);
