import { Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { Overview } from '#contract/reports/overview.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { LinkButton } from '#panel/shell/links.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';
import { useTimeLeft } from './use-time-left.ts';

type Awaited = NonNullable<Overview['attention']['disputes']>;

/** Says above the balances that payers contest payments, and how much time to answer is left. */
export function DisputeStrip({ disputes }: { disputes: Awaited }) {
  const t = useTranslations('panel.disputes.strip');
  const { reais, instant } = useFormats();
  const { href, may } = usePanel();
  const mayAnswer = may('disputes.answer');
  const { text: time } = useTimeLeft()(disputes.first_answer_by);
  const { count, amount, first_dispute_id: first, first_answer_by: until } = disputes;
  return (
    <Group
      component="section"
      gap="8px 12px"
      px="lg"
      py="sm"
      bg="var(--tone-caution-surface)"
      bd="1px solid var(--tone-caution)"
      bdrs={10}
      aria-label={t('label')}
    >
      <Text span c="var(--tone-caution)" display="inline-flex">
        <Icon of={IconAlertTriangle} />
      </Text>
      <Text span fz="sm" flex="1 1 260px">
        <strong>{t('text', { count, amount: reais(amount) })}</strong>{' '}
        {t(mayAnswer ? 'until' : 'deadline', { count, time, at: instant(until) })}
      </Text>
      <LinkButton
        href={href(count === 1 ? `/disputas/${first}` : '/disputas')}
        size="xs"
        label={t(mayAnswer ? 'action' : 'see')}
      />
    </Group>
  );
}
