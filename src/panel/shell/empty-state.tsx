import { Card, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted } from './muted.tsx';

/** A card that says that there is nothing here yet, why, and what to do. */
export function EmptyState({ title, text, action }: { title: string; text?: ReactNode; action?: ReactNode }) {
  return (
    <Card withBorder px="md" py={48}>
      <Stack align="center" gap="xs" ta="center">
        <Text fw={600} style={{ textWrap: 'balance' }}>
          {title}
        </Text>
        {text && (
          <Muted maw={480} component="div" style={{ textWrap: 'balance' }}>
            {text}
          </Muted>
        )}
        {action}
      </Stack>
    </Card>
  );
}
