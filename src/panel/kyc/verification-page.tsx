'use client';

import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { DecisionHistory } from './decision-history.tsx';
import { SubmittedSummary } from './submitted-summary.tsx';
import { VerificationForm } from './verification-form.tsx';
import { VerificationStatus } from './verification-status.tsx';

/** The operator decides outside of this page: while it waits, it looks now and then. */
const LOOK_EVERY_MS = 10_000;

/** A merchant's verification: how it stands, what to hand in, and what was decided so far. */
export function VerificationPage() {
  const t = useTranslations('panel.kyc');
  const verification = api.kyc.get.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.submissions[0]?.decision === 'submitted' ? LOOK_EVERY_MS : false),
  });
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={verification} skeleton={[150, 36, 320, 320]}>
        {(data) => (
          <Stack gap="md">
            <VerificationStatus verification={data} />
            {data.can_submit ? (
              // Of the newest submission: after a rejection the form restarts, with what was typed.
              <VerificationForm key={data.submissions[0]?.id ?? 'first'} verification={data} />
            ) : (
              <SubmittedSummary verification={data} />
            )}
            <DecisionHistory submissions={data.submissions} />
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}
