import { Button, Card, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { ThresholdKind } from '#domain/withdrawals/thresholds.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Notice } from '#panel/money/notice.tsx';
import { CallButton } from '#panel/shell/call-button.tsx';
import { useErrorText } from '#panel/shell/call-error.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useFormats } from '#panel/use-formats.ts';

const ThresholdDialog = lazyPart(() => import('./threshold-dialog.tsx'), 'ThresholdDialog');

/**
 * The amount above which withdrawals wait for a second person, or go to payees only, and the change
 * that is proposed.
 */
export function WithdrawalThreshold({ kind }: { kind: ThresholdKind }) {
  const t = useTranslations('panel.thresholds');
  const { reais, instant } = useFormats();
  const { may } = usePanel();
  const notify = useNotify();
  const textOf = useErrorText();
  const utils = api.useUtils();
  const [isOpen, setOpen] = useState(false);
  const query = api.thresholds.get.useQuery({ kind });
  const done = (text: string) => ({
    onSuccess: () => notify.done(text),
    onSettled: () => utils.thresholds.get.invalidate(),
  });
  const keep = api.thresholds.set.useMutation(done(t('kept')));
  const approve = api.thresholds.approve.useMutation(done(t('approved')));
  const what = (amount: number | null) =>
    amount === null
      ? t(`${kind}.none`)
      : amount === 0
        ? t(`${kind}.all`)
        : t(`${kind}.above`, { amount: reais(amount) });
  const mayChange = may('thresholds.set');
  const error = keep.error ?? approve.error;
  return (
    <Section plain title={t(`${kind}.title`)} text={t(`${kind}.text`)}>
      <Card withBorder padding="lg">
        <QueryState query={query} skeleton={[40]}>
          {({ amount, proposal }) => (
            <Stack gap="md">
              <Group justify="space-between">
                <Text fz="sm" fw={600}>
                  {what(amount)}
                </Text>
                {mayChange && (
                  <Button variant="default" size="xs" onClick={() => setOpen(true)}>
                    {t('change')}
                  </Button>
                )}
              </Group>
              {proposal && (
                <Notice tone="caution">
                  <Text fz="sm">
                    {t(proposal.applies_from === null ? 'proposed' : 'proposedAlone', {
                      by: proposal.by ?? t('someone'),
                      what: what(proposal.amount),
                      at: proposal.applies_from === null ? '' : instant(proposal.applies_from),
                    })}
                  </Text>
                  {mayChange && (
                    <Group gap="xs" mt="xs">
                      {!proposal.own && (
                        <CallButton
                          variant="filled"
                          call={approve}
                          input={{ kind, amount: proposal.amount }}
                          label={t('approve')}
                        />
                      )}
                      <CallButton call={keep} input={{ kind, amount }} label={t('keep')} />
                    </Group>
                  )}
                </Notice>
              )}
              <ErrorAlert text={error && textOf(error)} />
              <Suspense fallback={null}>
                {isOpen && <ThresholdDialog kind={kind} amount={amount} onClose={() => setOpen(false)} />}
              </Suspense>
            </Stack>
          )}
        </QueryState>
      </Card>
    </Section>
  );
}
