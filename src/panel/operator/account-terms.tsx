import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { OperatorTerms } from '#contract/operator/terms.ts';
import { useFeeText } from '#panel/money/use-fee-text.ts';
import { fieldIssues } from '#panel/shell/call-error.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { FieldList } from '#panel/shell/field-list.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useIssueText } from '#panel/shell/use-issue-text.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { TermLines, useFromText } from '#panel/terms/term-lines.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { ChangeTermsDialog } from './change-terms-dialog.tsx';
import { operatorApi } from './operator-api.tsx';
import classes from './operator-table.module.css';
import { whenRejected } from './when-rejected.ts';

type Change = OperatorTerms['changes'][number];

/** The terms of an account, their past and planned changes, and a button to change them. */
export function AccountTerms({ accountId }: { accountId: string }) {
  const t = useTranslations('operator.terms');
  const found = operatorApi.terms.get.useQuery({ account_id: accountId });
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <Section
        title={t('title')}
        aside={
          <Button size="xs" variant="default" onClick={() => setChanging(true)}>
            {t('change')}
          </Button>
        }
      >
        <QueryState query={found} skeleton={[140]}>
          {(terms) => <CurrentTerms terms={terms} />}
        </QueryState>
      </Section>
      <Section title={t('history')}>
        <QueryState
          query={found}
          skeleton={[80]}
          isEmpty={({ changes }) => changes.length === 0}
          empty={<Text fz="sm">{t('historyNone')}</Text>}
        >
          {({ changes }) => <History accountId={accountId} changes={changes} />}
        </QueryState>
      </Section>
      {isChanging && <ChangeTermsDialog accountId={accountId} onClose={() => setChanging(false)} />}
    </>
  );
}

function CurrentTerms({ terms }: { terms: OperatorTerms }) {
  const t = useTranslations('panel.terms');
  const { decimals } = useFormats();
  const feeText = useFeeText();
  const percent = (value: number) => `${decimals(value)}\u00a0%`;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <FieldList fields={terms.fees.map(({ type, ...fee }) => [t(`rails.${type}`), feeText(fee)] as const)} />
      <FieldList
        fields={[
          [t('spread'), percent(terms.spread_percent)],
          [t('tolerance'), percent(terms.tolerance_percent)],
        ]}
      />
    </SimpleGrid>
  );
}

const TONES = { planned: 'wait', in_force: 'ok', cancelled: 'neutral' } as const;

function History({ accountId, changes }: { accountId: string; changes: readonly Change[] }) {
  const t = useTranslations('operator.terms');
  const formats = useFormats();
  const fromText = useFromText();
  const [cancelling, setCancelling] = useState<Change | null>(null);
  return (
    <>
      <DataTable
        label={t('history')}
        folds="tablet"
        classes={classes}
        rows={changes}
        keyOf={({ change_id: id }) => id}
        title={(name) => t(`columns.${name}`)}
        columns={[
          { name: 'from', isHead: true, width: 240, cell: ({ effective_from: at }) => fromText(at) },
          { name: 'what', width: 'rest', cell: (change) => <TermLines change={change} /> },
          {
            name: 'state',
            width: 190,
            cell: (change) => (
              <Group gap={6}>
                <StatusBadge tone={TONES[change.state]} label={t(`states.${change.state}`)} />
                {change.state === 'planned' && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setCancelling(change)}
                    aria-label={t('cancelWhat', { from: fromText(change.effective_from) })}
                  >
                    {t('cancel')}
                  </Button>
                )}
              </Group>
            ),
          },
          {
            name: 'who',
            width: 300,
            cell: ({ by, at, reason, cancelled_by: cancelledBy }) => (
              <Stack gap={2}>
                <Text fz="sm">{reason}</Text>
                <Muted fz="xs">
                  {by ?? t('installation')}, {formats.instant(at)}
                </Muted>
                {cancelledBy !== null && <Muted fz="xs">{t('cancelledBy', { by: cancelledBy })}</Muted>}
              </Stack>
            ),
          },
        ]}
      />
      {cancelling && <CancelDialog accountId={accountId} change={cancelling} onClose={() => setCancelling(null)} />}
    </>
  );
}

function CancelDialog(props: { accountId: string; change: Change; onClose: () => void }) {
  const { accountId, change, onClose } = props;
  const t = useTranslations('operator.terms');
  const notify = useNotify();
  const issueText = useIssueText();
  const utils = operatorApi.useUtils();
  const refresh = () => utils.terms.invalidate();
  const cancel = operatorApi.terms.cancel.useMutation({
    ...notify.afterDialog(t('cancelled'), { refresh, onClose }),
    ...whenRejected(refresh),
  });
  // Without it a later change would leave no amount between a minimum and its maximum.
  const { terms: issue } = fieldIssues(cancel.error);
  return (
    <FormDialog
      isQuestion
      title={t('cancelTitle')}
      submit={t('cancel')}
      call={cancel}
      errorText={issue && issueText(issue)}
      onSubmit={() => cancel.mutate({ account_id: accountId, change_id: change.change_id })}
      onClose={onClose}
    >
      <TermLines change={change} />
      <Text fz="sm">{t('cancelText')}</Text>
    </FormDialog>
  );
}
