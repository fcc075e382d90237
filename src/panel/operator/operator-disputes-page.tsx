'use client';

import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { useState } from 'react';
import type { OperatorDispute } from '#contract/operator/decisions.ts';
import { DISPUTE_ENDS, type DisputeEnd } from '#domain/disputes/dispute-states.ts';
import { DISPUTE_TONES } from '#panel/disputes/dispute-state.ts';
import { CallButton } from '#panel/shell/call-button.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { ConsoleList } from './console-list.tsx';
import { ConsoleTable } from './console-table.tsx';
import { operatorApi } from './operator-api.tsx';
import { whenRejected } from './when-rejected.ts';

/** Cases of the return mechanism (MED): those that have not ended, or those that have. */
export function OperatorDisputesPage() {
  const t = useTranslations('operator.disputes');
  const [ended, setEnded] = useQueryState('encerradas', parseAsBoolean.withDefault(false));
  return (
    <Page title={t('title')} description={t('description')} wide>
      <SegmentedControl
        mb="sm"
        aria-label={t('which')}
        value={String(ended)}
        onChange={(value) => setEnded(value === 'true')}
        data={[
          { value: 'false', label: t('open') },
          { value: 'true', label: t('ended') },
        ]}
      />
      {ended ? <EndedDisputes /> : <OpenDisputes />}
    </Page>
  );
}

/** The open cases, the earliest deadline first. */
function OpenDisputes() {
  const t = useTranslations('operator.disputes');
  const formats = useFormats();
  const disputes = operatorApi.decisions.disputes.useQuery();
  const [asked, setAsked] = useState<{ id: string; outcome: DisputeEnd } | null>(null);
  return (
    <>
      <ConsoleTable
        query={disputes}
        rowsOf={(data) => data.disputes}
        none={t('none')}
        labelled={['held', 'answerBy']}
        label={t('title')}
        keyOf={(one) => one.dispute_id}
        title={(name) => t(`columns.${name}`)}
        columns={[
          { name: 'account', isHead: true, cell: (one) => <Whose dispute={one} /> },
          { name: 'amount', isNumeric: true, cell: ({ amount }) => formats.reais(amount) },
          { name: 'held', isNumeric: true, cell: ({ held }) => formats.reais(held) },
          { name: 'answerBy', cell: (one) => formats.instant(one.answer_by) },
          {
            name: 'state',
            cell: (one) => (
              <>
                <State dispute={one} />
                {(one.answer === 'to_forward' || one.answer === 'not_taken') && (
                  <Forwarded disputeId={one.dispute_id} />
                )}
              </>
            ),
          },
          {
            name: 'end',
            cell: (one) =>
              one.state !== 'lost' && (
                <Group gap={6}>
                  {DISPUTE_ENDS.map((outcome) => (
                    <Button
                      key={outcome}
                      size="xs"
                      variant="default"
                      onClick={() => setAsked({ id: one.dispute_id, outcome })}
                    >
                      {t(`ends.${outcome}`)}
                    </Button>
                  ))}
                </Group>
              ),
          },
        ]}
      />
      {asked && <EndDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** The ended cases, the newest first. */
function EndedDisputes() {
  const t = useTranslations('operator.disputes');
  const formats = useFormats();
  const disputes = operatorApi.decisions.endedDisputes.useInfiniteQuery({}, PAGED);
  return (
    <ConsoleList
      query={disputes}
      rowsOf={(page) => page.disputes}
      height={240}
      none={t('noneEnded')}
      more={t('more')}
      labelled={['returned', 'closedAt']}
      label={t('title')}
      keyOf={(one) => one.dispute_id}
      title={(name) => t(`columns.${name}`)}
      columns={[
        { name: 'account', isHead: true, cell: (one) => <Whose dispute={one} /> },
        { name: 'amount', isNumeric: true, cell: ({ amount }) => formats.reais(amount) },
        { name: 'returned', isNumeric: true, cell: ({ returned }) => formats.reais(returned) },
        { name: 'closedAt', cell: ({ closed_at: at }) => at && formats.instant(at) },
        { name: 'state', cell: (one) => <State dispute={one} /> },
      ]}
    />
  );
}

function Whose({ dispute }: { dispute: OperatorDispute }) {
  const t = useTranslations('operator.disputes');
  const { account_id: account, merchant_name: merchant, mode, transaction_id: transaction } = dispute;
  return (
    <>
      <TextLink href={`/operator/contas/${account}`} label={merchant} />{' '}
      {mode === 'test' && <Muted span>({t('test')})</Muted>}
      <div>
        <TextLink fz="xs" href={`/operator/transacoes/${transaction}`} label={t('transaction')} />
      </div>
    </>
  );
}

function State({ dispute: { state, answer, answer_rejection: rejection } }: { dispute: OperatorDispute }) {
  const t = useTranslations('operator.disputes');
  return (
    <>
      <StatusBadge tone={DISPUTE_TONES[state]} label={t(`states.${state}`)} />
      <Muted fz="xs">{[t(`answers.${answer}`), rejection].filter(Boolean).join(': ')}</Muted>
    </>
  );
}

/** Records that the answer was brought to the PSP by hand. */
function Forwarded({ disputeId }: { disputeId: string }) {
  const t = useTranslations('operator.disputes');
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const forwarded = operatorApi.decisions.forwarded.useMutation({
    ...notify.after(t('isForwarded')),
    onSettled: () => utils.decisions.disputes.invalidate(),
  });
  return <CallButton variant="subtle" call={forwarded} input={{ dispute_id: disputeId }} label={t('forwarded')} />;
}

function EndDialog({ id, outcome, onClose }: { id: string; outcome: DisputeEnd; onClose: () => void }) {
  const t = useTranslations('operator.disputes');
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const refresh = () => utils.decisions.disputes.invalidate();
  const end = operatorApi.decisions.endDispute.useMutation({
    ...notify.afterDialog(t('done'), { refresh, onClose }),
    ...whenRejected(refresh),
  });
  return (
    <FormDialog
      isQuestion
      title={t(`ends.${outcome}`)}
      submit={t(`ends.${outcome}`)}
      call={end}
      onSubmit={() => end.mutate({ dispute_id: id, outcome })}
      onClose={onClose}
    >
      <Text fz="sm">{t(`texts.${outcome}`)}</Text>
    </FormDialog>
  );
}
