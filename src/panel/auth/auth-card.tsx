import { Paper, Stack, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Mark } from '#panel/mark.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import classes from './auth-card.module.css';
import sideClasses from './auth-side.module.css';

/** The frame of every page before the sign-in: a card with one form or one text. */
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
        {footer && (
          <Muted component="div" display="flex" style={{ gap: 8 }}>
            {footer}
          </Muted>
        )}
      </main>
    </div>
  );
}

/** Two tracks that join: the first comes from above, and both lead to the form. */
const THROUGH = 'M-20 596H760M-20 620H760';
const JOINING = 'M476-20V480a140 140 0 0 0 140 140H760M500-20V480a116 116 0 0 0 116 116H760';

/** Shown beside every form before the sign-in: what the product is. */
function AuthSide() {
  const t = useTranslations('auth');
  return (
    <header className={sideClasses.side}>
      <svg className={sideClasses.tracks} viewBox="0 0 720 900" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">
        <path d={THROUGH} />
        <path d={JOINING} className={sideClasses.joining} />
      </svg>
      <p className={sideClasses.brand}>
        <Mark size={32} /> Trilho
      </p>
      <div className={sideClasses.words}>
        <p className={sideClasses.promise}>{t('promise')}</p>
        <p className={sideClasses.text}>{t('promiseText')}</p>
      </div>
    </header>
  );
}
