'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import {
  MAGIC_CENTS,
  MAGIC_TRANSACTION_TYPES,
  type MagicTable,
  UNKNOWN_PIX_KEY,
} from '#domain/sandbox/sandbox-switches.ts';
import { api } from '#panel/api.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { DocsButton } from '#panel/shell/docs-button.tsx';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { Waiting } from '#panel/shell/waiting.tsx';
import { ClockSection } from './clock-section.tsx';
import classes from './sandbox-page.module.css';
import { SubjectSection } from './subject-section.tsx';
import { Switches } from './switches.tsx';

/** Heights of the parts that come, in pixels: the transactions, the amounts, the switches. */
const HEIGHTS = [220, 360, 360];

/** Commands for a transaction, cents that choose an outcome, and the providers' switches. */
export function SandboxPage() {
  const t = useTranslations('panel.sandbox');
  const { mode } = usePanel();
  const state = api.sandbox.state.useQuery();
  // What is below the transactions would move when they come, so it waits for them.
  const { isPending } = api.sandbox.subjects.useQuery();
  const docs = <DocsButton section="#sandbox" />;
  return (
    <Page title={t('title')} description={t('description')} actions={docs}>
      <QueryState query={state} skeleton={HEIGHTS} isEmpty={({ available }) => !available} empty={<NoSandbox />}>
        {(data) =>
          isPending ? (
            <Waiting heights={HEIGHTS} />
          ) : (
            <Stack gap="xl">
              <SubjectSection />
              {mode === 'test' && <ClockSection />}
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
    <EmptyState
      title={t('title')}
      text={t('text')}
      action={<LinkButton href="/test/sandbox" size="sm" label={t('action')} />}
    />
  );
}

const MAGIC_TABLES = Object.keys(MAGIC_CENTS) as MagicTable[];

/** The amounts with which a request chooses its own outcome. */
function MagicCents() {
  const t = useTranslations('panel.sandbox.magic');
  const types = useTranslations('panel.transactions.types');
  // The messages have a text for each outcome of each table; the compiler can't follow a key of two
  // changing parts.
  const textOf = (table: MagicTable, outcome: string) => t(`${table}.${outcome}` as 'pixChargeCents.paid');
  const rows = MAGIC_TABLES.flatMap((table) =>
    Object.entries(MAGIC_CENTS[table]).map(([cents, outcome]) => ({
      type: MAGIC_TRANSACTION_TYPES[table],
      value: t('cents', { cents }),
      outcome: textOf(table, outcome),
    })),
  );
  const unknownKey = {
    type: 'pix_out',
    value: t('key', { key: UNKNOWN_PIX_KEY }),
    outcome: t('unknownPixKey'),
  } as const;
  return (
    <Section plain title={t('title')} text={t('text')}>
      <DataTable
        rows={[...rows, unknownKey]}
        keyOf={({ value }) => value}
        title={(name) => t(name)}
        classes={classes}
        lines={['value what', 'outcome outcome']}
        columns={[
          { name: 'what', cell: ({ type }) => types(type) },
          { name: 'value', cell: ({ value }) => value, isHead: true },
          { name: 'outcome', cell: ({ outcome }) => outcome },
        ]}
      />
      <Muted>{t('note')}</Muted>
    </Section>
  );
}
