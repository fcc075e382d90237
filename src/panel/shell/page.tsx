import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { HeadingId } from './heading-id.ts';
import { Muted } from './muted.tsx';
import classes from './page.module.css';

/** One page of the panel: its title, its actions, and its content. */
export function Page(props: {
  title: string;
  description?: ReactNode;
  /** At most one primary button among them. */
  actions?: ReactNode;
  /** As wide as the window, for tables. */
  wide?: boolean;
  children: ReactNode;
}) {
  const { title, description, actions, wide = false, children } = props;
  const id = useId();
  return (
    <div className={classes.page} data-wide={wide}>
      <Group justify="space-between" align="flex-start" gap="sm" className={classes.head}>
        <Stack gap={4} flex="1 1 280px" miw={0}>
          <Title order={1} id={id} fz={22} lh={1.3}>
            {title}
          </Title>
          {description && (
            <Muted component="div" className={classes.text}>
              {description}
            </Muted>
          )}
        </Stack>
        {actions && (
          <Group gap="xs" className={classes.actions}>
            {actions}
          </Group>
        )}
      </Group>
      <HeadingId value={id}>{children}</HeadingId>
    </div>
  );
}
