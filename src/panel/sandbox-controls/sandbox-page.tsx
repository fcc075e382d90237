'use client';

import { Card, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { DocsButton, LinkButton } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Waiting } from '#panel/shell/waiting.tsx';
import { MagicCents } from './magic-cents.tsx';
import { SubjectSection } from './subject-section.tsx';
import { Switches } from './switches.tsx';

/** Of what comes: the transactions, the amounts, the switches. */
const HEIGHTS = [220, 360, 360];

/**
 * The sandbox: commands for a transaction, cents that choose an outcome, and the switches of the
 * providers.
 */
export function SandboxPage() {
  const t = useTranslations('panel.sandbox');
  const state = api.sandbox.state.useQuery();
  // What is below the transactions would move when they come.
  const { isPending } = api.sandbox.subjects.useQuery();
  const docs = <DocsButton label={t('docs')} section="#sandbox" />;
  return (
    <Page title={t('title')} description={t('description')} actions={docs}>
      <QueryState query={state} skeleton={HEIGHTS} isEmpty={({ available }) => !available} empty={<NoSandbox />}>
        {(data) =>
          isPending ? (
            <Waiting heights={HEIGHTS} />
          ) : (
            <Stack gap="xl">
              <SubjectSection />
              <MagicCents />
              <Switches state={data} />
            </Stack>
          )
        }
      </QueryState>
    </Page>
  );
}

function NoSandbox() {
  const t = useTranslations('panel.sandbox.unavailable');
  return (
    <Card withBorder>
      <EmptyState
        title={t('title')}
        text={t('text')}
        action={<LinkButton href="/test/sandbox" size="sm" label={t('action')} />}
      />
    </Card>
  );
}
