import { Text } from '@mantine/core';

/** What is said beside the thing itself: hints, explanations, what is not there. */
export const Muted = Text.withProps({ fz: 'sm', c: 'var(--ink-muted)' });
