import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './code-block.module.css';
import { Muted } from './muted.tsx';

type Props = {
  title: string;
  text: string;
  /** Shown beside the title, which then is a heading. */
  aside?: ReactNode;
  'data-testid'?: string;
};

/**
 * A text as it was sent or received. A long one scrolls inside itself, so the keyboard has to reach
 * it.
 */
export const CodeBlock = ({ title, text, aside, ...block }: Props) => (
  <section>
    {aside ? (
      <Group justify="space-between" mb={4}>
        <Text component="h3" fz="sm" fw={600}>
          {title}
        </Text>
        {aside}
      </Group>
    ) : (
      <Muted fz="xs" mb={4} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Muted>
    )}
    <Code block className={classes.text} tabIndex={0} role="region" aria-label={title} {...block}>
      {text}
    </Code>
  </section>
);
