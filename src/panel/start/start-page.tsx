'use client';

import { Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import type { FirstStepsOutput } from '#contract/accounts/first-steps-output.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
// The server draws what was received before its code is there; its styles would come with it.
import '#panel/webhooks/delivery-attempts.module.css';
import '#panel/webhooks/test-receiver.module.css';
import { StepActions } from './step-actions.tsx';
import { type FirstStep, firstStepsLeft } from './use-first-steps.ts';

const ReceivedWebhooks = lazyPart(() => import('#panel/webhooks/received-webhooks.tsx'), 'ReceivedWebhooks');

/**
 * How often the page reads again: a step may be done elsewhere (a webhook arrives, the operator
 * decides).
 */
const POLL_INTERVAL_MS = 2_000;
/**
 * How many webhooks are shown: the first one, and those of a second try; the rest are at Webhooks.
 */
const ARRIVED_SHOWN = 3;

/** The way from an open account to the first payment. */
export function StartPage() {
  const t = useTranslations('panel.start');
  const steps = api.firstSteps.get.useQuery(undefined, { refetchInterval: POLL_INTERVAL_MS });
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={steps} skeleton={[420]}>
        {(data) => <Steps steps={data} />}
      </QueryState>
    </Page>
  );
}

function Steps({ steps }: { steps: FirstStepsOutput }) {
  const t = useTranslations('panel.start');
  const { list, done, next } = firstStepsLeft(steps);
  const progress = t('progress', { done, total: list.length });
  return (
    <Stack gap="md">
      <div>
        <Text fz="sm" mb={6} role="status">
          {progress}
        </Text>
        <Progress value={(done / list.length) * 100} aria-label={progress} />
      </div>
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {list.map((step, index) => (
          <Step key={step.name} step={step} number={index + 1} isNext={step.name === next?.name} steps={steps} />
        ))}
      </Stack>
      {next === null && (
        <Group>
          <Text fw={600}>{t('allDone')}</Text>
          <Button component="a" href="/live/inicio">
            {t('goLive')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Step(props: { step: FirstStep; number: number; isNext: boolean; steps: FirstStepsOutput }) {
  const { step, number, isNext, steps } = props;
  const t = useTranslations('panel.start');
  return (
    <Card component="li" withBorder padding="lg">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} flex="1 1 260px">
            <Group gap="xs">
              <Title order={2} fz={16}>
                {number}. {t(step.name)}
              </Title>
              <StatusBadge
                tone={step.done ? 'ok' : isNext ? 'wait' : 'neutral'}
                label={t(step.done ? 'done' : isNext ? 'next' : 'later')}
              />
            </Group>
            <Muted>{t(`${step.name}Text`)}</Muted>
          </Stack>
          {!step.done && <StepActions name={step.name} isNext={isNext} steps={steps} />}
        </Group>
        {step.name === 'webhook' && steps.has_test_receiver && (
          <Suspense fallback={null}>
            <ReceivedWebhooks max={ARRIVED_SHOWN} />
          </Suspense>
        )}
      </Stack>
    </Card>
  );
}
