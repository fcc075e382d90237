import { Card, Group, List, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { VerificationOutput } from '#contract/kyc/kyc.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { StatusBadge, type Tone } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import classes from './verification.module.css';

type State = 'new' | 'submitted' | 'rejected' | 'approved';

const TONES: Record<State, Tone> = { new: 'neutral', submitted: 'wait', rejected: 'warn', approved: 'ok' };

export const STATUS_ID = 'verification-status';

/** How the verification stands, what comes next, and what works meanwhile. */
export function VerificationStatus({ verification }: { verification: VerificationOutput }) {
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

function stateOf({ status, submissions }: VerificationOutput): State {
  if (submissions[0]?.decision === 'submitted' && status !== 'approved') return 'submitted';
  return status === 'pending' ? 'new' : status;
}
