'use client';

import { Button, Card, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { Link } from '#panel/link.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';

/** While a step may be done elsewhere (the sandbox pays, a webhook arrives) the page looks again this often. */
const LOOK_EVERY_MS = 3_000;

/** The way from an open account to the first payment. */
export function StartPage() {
  const t = useTranslations('panel.start');
  const { href } = usePanel();
  const steps = api.firstSteps.get.useQuery(undefined, { refetchInterval: LOOK_EVERY_MS });
  return (
    <Page title={t('title')} description={t('description')}>
      <QueryState query={steps} skeleton={<Skeleton height={420} radius="md" />}>
        {(data) => {
          const charge = data.pending_charge_id ?? data.charge_id;
          const list = [
            { name: 'charge', done: data.charge_id !== null, to: href('/cobrar') },
            { name: 'pay', done: data.paid, to: href(charge ? `/transacoes/${charge}` : '/cobrar') },
            { name: 'webhook', done: data.webhook_delivered, to: href('/webhooks') },
            { name: 'verify', done: data.kyc_status === 'approved', to: href('/verificacao') },
          ] as const;
          const done = list.filter((step) => step.done).length;
          const next = list.findIndex((step) => !step.done);
          return (
            <Stack gap="md">
              <div>
                <Text fz="sm" mb={6}>
                  {t('progress', { done, total: list.length })}
                </Text>
                <Progress value={(done / list.length) * 100} aria-label={t('progress', { done, total: list.length })} />
              </div>
              <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
                {list.map((step, index) => (
                  <Card key={step.name} component="li" withBorder padding="lg">
                    <Group justify="space-between" align="flex-start" gap="md">
                      <Stack gap={4} flex="1 1 260px">
                        <Group gap="xs">
                          <Title order={2} fz={16}>
                            {index + 1}. {t(step.name)}
                          </Title>
                          <StatusBadge
                            tone={step.done ? 'ok' : index === next ? 'wait' : 'neutral'}
                            label={t(step.done ? 'done' : index === next ? 'next' : 'later')}
                          />
                        </Group>
                        <Text fz="sm" c="var(--ink-muted)">
                          {t(`${step.name}Text`)}
                        </Text>
                      </Stack>
                      {!step.done && (
                        <Button component={Link} href={step.to} variant={index === next ? 'filled' : 'default'}>
                          {t(`${step.name}Action`)}
                        </Button>
                      )}
                    </Group>
                  </Card>
                ))}
              </Stack>
              {next === -1 && (
                <Group>
                  <Text fw={600}>{t('allDone')}</Text>
                  <Button component="a" href="/live/inicio">
                    {t('goLive')}
                  </Button>
                </Group>
              )}
            </Stack>
          );
        }}
      </QueryState>
    </Page>
  );
}
