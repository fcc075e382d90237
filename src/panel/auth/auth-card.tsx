import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './auth-card.module.css';
import { AuthSide } from './auth-side.tsx';

/** The one thing on a page before the panel. */
export function AuthCard(props: { title: string; text?: ReactNode; children: ReactNode; footer?: ReactNode }) {
  const { title, text, children, footer } = props;
  return (
    <div className={classes.frame}>
      <AuthSide />
      <main className={classes.page}>
        <Paper withBorder p={{ base: 'md', xs: 'xl' }} radius="md" className={classes.card}>
          <Stack gap="md">
            <Title order={1} fz={20}>
              {title}
            </Title>
            {text && <Muted component="div">{text}</Muted>}
            {children}
          </Stack>
        </Paper>
        {footer && <div className={classes.footer}>{footer}</div>}
      </main>
    </div>
  );
}
