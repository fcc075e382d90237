import { Text } from '@mantine/core';

/** Secondary text: hints, explanations, what is missing. */
export const Muted = Text.withProps({ fz: 'sm', c: 'var(--ink-muted)' });
