import { type MantineBreakpoint, Text } from '@mantine/core';

/** Secondary text: hints, explanations, what is missing. */
export const Muted = Text.withProps({ fz: 'sm', c: 'var(--ink-muted)' });

/** An id or a code of a row, in a line below what the row is about. */
export const CodeLine = ({ children, ...props }: { children: string; visibleFrom?: MantineBreakpoint }) => (
  <Muted component="code" display="block" ff="monospace" fz="xs" {...props}>
    {children}
  </Muted>
);
