'use client';

import { Stack, Text } from '@mantine/core';
import { LinkButton } from './links.tsx';
import { Page } from './page.tsx';

/** An address that has no page, inside the frame: what to check, and a way on. */
export function MissingPage({ title, text, home, href }: { title: string; text: string; home: string; href: string }) {
  return (
    <Page title={title}>
      <Stack align="flex-start" gap="md">
        <Text maw={600}>{text}</Text>
        <LinkButton href={href} label={home} />
      </Stack>
    </Page>
  );
}
