import { Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { VerificationOutput } from '#contract/kyc/kyc.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import classes from './verification.module.css';

const TONES = { submitted: 'wait', approved: 'ok', rejected: 'warn' } as const;

/** Every time that the merchant asked, and what was decided. */
export function DecisionHistory({ submissions }: { submissions: VerificationOutput['submissions'] }) {
  const t = useTranslations('panel.kyc');
  if (submissions.length === 0) return null;
  return (
    <Section title={t('history')}>
      <Stack component="ul" gap="sm" className={classes.history}>
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
