import { Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { CheckFinding } from '#domain/providers/providers.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';

export type Findings = readonly CheckFinding[];

/** What a provider answered, route by route. */
export function FindingList({ findings }: { findings: Findings }) {
  const t = useTranslations('panel.providers');
  return (
    <Stack component="ul" gap={4} p={0} m={0} mb="xs" style={{ listStyle: 'none' }}>
      {findings.map(({ route, answer }) => (
        <Group component="li" key={route} gap="xs" justify="space-between">
          <Text fz="sm">{t(`routes.${route}`)}</Text>
          <StatusBadge tone={answer === 'can' ? 'ok' : 'bad'} label={t(`answers.${answer}`)} />
        </Group>
      ))}
    </Stack>
  );
}
