'use client';

import { Group, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { DisputeCaseView } from '#contract/disputes/dispute-case.ts';
import { api } from '#panel/api.tsx';
import { Amount } from '#panel/money/amount.tsx';
import { BackLink } from '#panel/shell/back-link.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { AnswerForm } from './answer-form.tsx';
import { CaseFields } from './case-fields.tsx';
import { CaseTimeline } from './case-timeline.tsx';
import { useDisputeText } from './use-dispute-text.ts';
import { useLiveDisputes } from './use-live-disputes.ts';

/** One case: what is contested, what is held, until when, and the merchant's answer. */
export function DisputeCasePage({ id }: { id: string }) {
  const t = useTranslations('panel.disputes');
  const { href, may } = usePanel();
  const refetchInterval = useLiveDisputes();
  const query = api.disputeCase.get.useQuery({ dispute_id: id }, { refetchInterval });
  const isMissing = query.data === undefined && query.error !== null;
  return (
    <Page
      title={t('case.title')}
      description={<BackLink href={href('/disputas')} label={t('title')} />}
      actions={
        !isMissing && <LinkButton href={href(`/disputas/${id}/provas`)} icon={IconPrinter} label={t('pack.open')} />
      }
    >
      <QueryState query={query} skeleton={[72, 260, 220]}>
        {(found) => (
          <Stack gap="xl">
            <Head found={found} />
            {found.answerable && may('disputes.answer') && <AnswerForm found={found} />}
            <CaseFields found={found} />
            <CaseTimeline dispute={found.dispute} />
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

function Head({ found: { dispute } }: { found: DisputeCaseView }) {
  const { tone, label, hint } = useDisputeText()(dispute);
  return (
    <Stack gap="xs">
      <Group gap="sm" align="center">
        <Amount reais={dispute.amount} size="xl" />
        <StatusBadge tone={tone} label={label} />
      </Group>
      <Text fz="sm">{hint}</Text>
    </Stack>
  );
}
