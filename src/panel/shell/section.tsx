import { Card, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { HeadingId } from './heading-id.ts';
import { Muted } from './muted.tsx';
import classes from './page.module.css';

type Props = {
  title: string;
  text?: ReactNode;
  /** Shown beside the title. */
  aside?: ReactNode;
  /** Without a card around it, because its content has its own. */
  plain?: boolean;
  /** The id of the heading, where links lead to it. */
  id?: string;
  children: ReactNode;
};

/** A part of a page under its heading. */
export function Section({ title, text, aside, plain = false, id, children }: Props) {
  const own = useId();
  const content = (
    <Stack gap="sm">
      <Group justify="space-between" align="center" gap="sm">
        <div>
          <Title order={2} fz="md" id={id ?? own}>
            {title}
          </Title>
          {text && <Muted className={classes.text}>{text}</Muted>}
        </div>
        {aside}
      </Group>
      <HeadingId value={id ?? own}>{children}</HeadingId>
    </Stack>
  );
  if (plain) return <section aria-labelledby={id ?? own}>{content}</section>;
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby={id ?? own}>
      {content}
    </Card>
  );
}
