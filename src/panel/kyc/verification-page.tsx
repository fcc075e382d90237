'use client';

import { Card, Group, List, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { VerificationOutput } from '#contract/kyc/kyc.ts';
import { api } from '#panel/api.tsx';
import { useLiveMessages } from '#panel/live/use-live-messages.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { SubmittedSummary } from './submitted-summary.tsx';
import classes from './verification.module.css';
import { STATUS_ID, VerificationForm } from './verification-form.tsx';

/**
 * The operator decides outside of this page: until the notice of the decision comes, the page
 * polls.
 */
const POLL_INTERVAL_MS = 10_000;

const TONES = { new: 'neutral', submitted: 'wait', rejected: 'warn', approved: 'ok' } as const;

/** A merchant's verification: its state, what to submit, and what was decided so far. */
export function VerificationPage() {
  const t = useTranslations('panel.kyc');
  const utils = api.useUtils();
  useLiveMessages(({ kind }) => {
    if (kind === 'notice' || kind === 'resync') void utils.kyc.get.invalidate();
  });
  const verification = api.kyc.get.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.submissions[0]?.decision === 'submitted' ? POLL_INTERVAL_MS : false),
  });
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={verification} skeleton={[150, 36, 320, 320]}>
        {(data) => (
          <Stack gap="md">
            <Status verification={data} />
            {data.can_submit ? (
              // By the newest submission: after a rejection the form restarts, with what was typed.
              <VerificationForm key={data.submissions[0]?.id ?? 'first'} verification={data} />
            ) : (
              <SubmittedSummary verification={data} />
            )}
            <History submissions={data.submissions} />
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

/** The state of the verification, what comes next, and what works meanwhile. */
function Status({ verification }: { verification: VerificationOutput }) {
  const t = useTranslations('panel.kyc');
  const state = stateOf(verification);
  const [newest] = verification.submissions;
  const decidedAt = newest?.decided_at;
  return (
    <Card withBorder padding="lg" id={STATUS_ID} tabIndex={-1} className={classes.status}>
      <Stack gap="sm">
        <Group gap="sm" role="status">
          <StatusBadge tone={TONES[state]} label={t(`states.${state}`)} />
          {newest && state !== 'new' && (
            <Muted>
              {decidedAt && state !== 'submitted'
                ? t.rich('decidedAt', { when: () => <When at={decidedAt} /> })
                : t.rich('submittedAt', { when: () => <When at={newest.submitted_at} /> })}
            </Muted>
          )}
        </Group>
        <Text fz="sm">{t(`hints.${state}`)}</Text>
        {state === 'rejected' && newest?.reason && (
          <div className={classes.reason}>
            <Text fz="sm" fw={600}>
              {t('reason')}
            </Text>
            <Text fz="sm" className={classes.words}>
              {newest.reason}
            </Text>
          </div>
        )}
        {state !== 'approved' && (
          <div>
            <Title order={2} fz="sm" mb={4}>
              {t('before.title')}
            </Title>
            <List size="sm" spacing={4}>
              <List.Item>{t('before.now')}</List.Item>
              <List.Item>{t('before.later')}</List.Item>
            </List>
          </div>
        )}
      </Stack>
    </Card>
  );
}

function stateOf({ status, submissions }: VerificationOutput) {
  if (submissions[0]?.decision === 'submitted' && status !== 'approved') return 'submitted';
  return status === 'pending' ? 'new' : status;
}

/** Every submission, and its decision. */
function History({ submissions }: Pick<VerificationOutput, 'submissions'>) {
  const t = useTranslations('panel.kyc');
  if (submissions.length === 0) return null;
  return (
    <Section title={t('history')}>
      <Stack component="ul" gap="sm" className={`plain-list ${classes.history}`}>
        {submissions.map(({ id, kind, decision, reason, submitted_at, decided_at }) => (
          <li key={id}>
            <Group gap="xs">
              <StatusBadge tone={TONES[decision]} label={t(`decisions.${decision}`)} />
              <Muted>
                {t.rich('historySubmitted', { kind: t(`kinds.${kind}`), when: () => <When at={submitted_at} /> })}
                {decided_at && (
                  <>
                    {' · '}
                    {t.rich('historyDecided', { when: () => <When at={decided_at} /> })}
                  </>
                )}
              </Muted>
            </Group>
            {reason && (
              <Text fz="sm" mt={4} className={classes.words}>
                {reason}
              </Text>
            )}
          </li>
        ))}
      </Stack>
    </Section>
  );
}
