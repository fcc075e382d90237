import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** There is nothing here yet: says so, why, and what to do. */
export function EmptyState({ title, text, action }: { title: string; text?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {text && (
        <Text fz="sm" c="var(--ink-muted)" maw={480} component="div">
          {text}
        </Text>
      )}
      {action}
    </Stack>
  );
}
