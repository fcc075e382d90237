'use client';

import '@mantine/notifications/styles.css';
import { Center, Loader, MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { api } from '#panel/api.tsx';
import { ConnectionNotice } from '#panel/connection/connection-notice.tsx';
import { dropAllKept } from '#panel/drafts/kept.ts';
import { LiveStream } from '#panel/live/live-stream.tsx';
import { HydrateQueries, type PrefetchedQuery } from '#panel/page-data/hydrate-queries.tsx';
import { setPageAccount } from '../page-account.ts';
import { PanelApiProvider } from '../panel-api-provider.tsx';
import { Confirmations } from './confirmations.tsx';
import classes from './notices.module.css';
import { QueryState } from './query-state.tsx';
import { Shell } from './shell.tsx';
import { useDialogTheme } from './use-dialog-theme.ts';
import { PanelContext } from './use-panel.ts';

type Props = {
  mode: 'live' | 'test';
  /** The service's origin by its configuration, which pages show until the browser knows better. */
  origin: string;
  children: ReactNode;
};

/**
 * The frame of every page: its client, who has signed in, the shell, and the dialog for the second
 * factor.
 */
export function PanelFrame({ data, ...props }: Props & { data: readonly PrefetchedQuery[] }) {
  return (
    // A mode is another account: nothing that was read in one may show up in the other.
    <PanelApiProvider key={props.mode} mode={props.mode}>
      <NuqsAdapter>
        <HydrateQueries data={data}>
          <SignedIn {...props} />
        </HydrateQueries>
      </NuqsAdapter>
      <ConnectionNotice />
    </PanelApiProvider>
  );
}

function SignedIn({ mode, origin: configured, children }: Props) {
  // Behind a proxy that is not configured, the browser knows better.
  const origin = useSyncExternalStore(
    () => () => {},
    () => window.location.origin,
    () => configured,
  );
  const t = useTranslations('panel.shell');
  const me = api.session.me.useQuery(undefined, { staleTime: 60_000 });
  const email = me.data?.email;
  // In the same render, before a page inside sends a call.
  if (me.data) setPageAccount(mode, me.data.account_id);
  // The session of another member ended in this tab without a sign-out: their drafts are dropped.
  useEffect(() => {
    if (email) dropAllKept({ but: email });
  }, [email]);
  const theme = useDialogTheme();
  const waiting = (
    <Center h="100dvh">
      <Loader aria-label={t('loading')} />
    </Center>
  );
  return (
    <QueryState query={me} skeleton={waiting}>
      {(data) => (
        <MantineThemeProvider theme={theme}>
          <PanelContext value={{ mode, me: data, origin }}>
            <Notifications position="bottom-right" className={classes.notices} />
            <Confirmations />
            <LiveStream>
              <Shell>{children}</Shell>
            </LiveStream>
          </PanelContext>
        </MantineThemeProvider>
      )}
    </QueryState>
  );
}
