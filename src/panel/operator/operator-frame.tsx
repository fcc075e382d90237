'use client';

import '@mantine/notifications/styles.css';
import { AppShell, Button, MantineThemeProvider, NavLink, Text } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useEffect, useRef } from 'react';
import { ConnectionNotice } from '#panel/connection/connection-notice.tsx';
import { Link } from '#panel/link.tsx';
import { Mark } from '#panel/mark.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import pages from '#panel/shell/page-links.module.css';
import { QueryState } from '#panel/shell/query-state.tsx';
import shell from '#panel/shell/shell.module.css';
import { useDialogTheme } from '#panel/shell/use-dialog-theme.ts';
import { CodeDialog } from './code-dialog.tsx';
import { operatorApi } from './operator-api.tsx';
import { OperatorApiProvider } from './operator-api-provider.tsx';
import classes from './operator-frame.module.css';

const PAGES = [
  { name: 'overview', path: '/operator' },
  { name: 'accounts', path: '/operator/contas' },
  { name: 'transactions', path: '/operator/transacoes' },
  { name: 'verifications', path: '/operator/verificacoes' },
  { name: 'decisions', path: '/operator/decisoes' },
  { name: 'payouts', path: '/operator/saques' },
  { name: 'disputes', path: '/operator/contestacoes' },
  { name: 'reconciliation', path: '/operator/conciliacao' },
  { name: 'installation', path: '/operator/instalacao' },
  { name: 'queue', path: '/operator/fila' },
  { name: 'mail', path: '/operator/emails' },
  { name: 'system', path: '/operator/sistema' },
  { name: 'audit', path: '/operator/auditoria' },
] as const;

const HEADER_HEIGHT = 56;
const NAVBAR_WIDTH = 228;

/** The frame of every page of the console: its client, who has signed in, and the navigation. */
export function OperatorFrame({ children }: { children: ReactNode }) {
  return (
    <OperatorApiProvider>
      <NuqsAdapter>
        <SignedIn>{children}</SignedIn>
      </NuqsAdapter>
      <ConnectionNotice />
    </OperatorApiProvider>
  );
}

function SignedIn({ children }: { children: ReactNode }) {
  const t = useTranslations('operator.frame');
  const me = operatorApi.session.me.useQuery();
  const signOut = operatorApi.session.signOut.useMutation({
    onSettled: () => window.location.assign('/operator/entrar'),
  });
  const theme = useDialogTheme();
  // What the server rendered can be used from here on.
  useEffect(() => document.documentElement.setAttribute('data-interactive', ''), []);
  return (
    <AppShell
      header={{ height: HEADER_HEIGHT }}
      navbar={{ width: NAVBAR_WIDTH, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding={0}
    >
      <a href="#content" className={shell.skip}>
        {t('skip')}
      </a>
      <AppShell.Header className={classes.header}>
        <Link href="/operator" className={classes.brand}>
          <Mark /> {t('title')}
        </Link>
        <div className={classes.spring} />
        <Text fz="sm" visibleFrom="sm">
          {me.data?.email}
        </Text>
        <Button size="xs" variant="default" flex="none" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          {t('signOut')}
        </Button>
      </AppShell.Header>
      <AppShell.Navbar className={classes.nav} aria-label={t('nav')} visibleFrom="sm">
        <PageLinks />
        <Muted fz={12} className={classes.zone}>
          {t('zone')}
        </Muted>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={shell.main}>
        <NarrowNav />
        <QueryState query={me} skeleton={[400]}>
          {() => (
            <MantineThemeProvider theme={theme}>
              <Notifications position="bottom-right" />
              <CodeDialog />
              {children}
              <Muted fz={12} hiddenFrom="sm" className={classes.zone}>
                {t('zone')}
              </Muted>
            </MantineThemeProvider>
          )}
        </QueryState>
      </AppShell.Main>
    </AppShell>
  );
}

/** The pages in one line that scrolls, for phones; the open one is in sight. */
function NarrowNav() {
  const t = useTranslations('operator.frame');
  const pathname = usePathname();
  const bar = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page was opened, so another link is the current one.
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (!bar.current || !current) return;
    bar.current.scrollLeft = current.offsetLeft - (bar.current.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav ref={bar} className={classes.bar} aria-label={t('nav')}>
      <PageLinks isBar />
    </nav>
  );
}

function PageLinks({ isBar = false }: { isBar?: boolean }) {
  const t = useTranslations('operator.frame');
  const pathname = usePathname();
  return PAGES.map(({ name, path }) => {
    const active = pathname === path || (path !== '/operator' && pathname.startsWith(`${path}/`));
    return (
      <NavLink
        key={path}
        component={Link}
        href={path}
        label={t(name)}
        active={active}
        aria-current={active ? 'page' : undefined}
        className={isBar ? undefined : pages.link}
      />
    );
  });
}
