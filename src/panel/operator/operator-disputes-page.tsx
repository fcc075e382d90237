'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { DISPUTE_ENDS, type DisputeEnd } from '#domain/disputes/dispute-states.ts';
import { DataTable } from '#panel/shell/data-table.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { operatorApi } from './operator-api.tsx';

/** Cases of the return mechanism that have not ended, the one whose time ends first at first. */
export function OperatorDisputesPage() {
  const t = useTranslations('operator.disputes');
  const formats = useFormats();
  const disputes = operatorApi.decisions.disputes.useQuery();
  const [asked, setAsked] = useState<{ id: string; outcome: DisputeEnd } | null>(null);
  return (
    <Page title={t('title')} description={t('description')} wide>
      <QueryState
        query={disputes}
        skeleton={[240]}
        isEmpty={(data) => data.disputes.length === 0}
        empty={<Text fz="sm">{t('none')}</Text>}
      >
        {(data) => (
          <DataTable
            label={t('title')}
            rows={data.disputes}
            keyOf={(one) => one.dispute_id}
            title={(name) => t(`columns.${name}`)}
            columns={[
              {
                name: 'account',
                isHead: true,
                cell: (one) => <TextLink href={`/operator/contas/${one.account_id}`} label={t('account')} />,
              },
              { name: 'amount', isNumeric: true, cell: ({ amount }) => formats.reais(amount) },
              { name: 'held', isNumeric: true, cell: ({ held }) => formats.reais(held) },
              { name: 'answerBy', cell: (one) => formats.instant(one.answer_by) },
              {
                name: 'state',
                cell: (one) => (
                  <>
                    {t(`states.${one.state}`)}
                    <Muted fz="xs">
                      {[t(`answers.${one.answer}`), one.answer_rejection].filter(Boolean).join(': ')}
                    </Muted>
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
        )}
      </QueryState>
      {asked && <EndDialog {...asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}

/** Notes that the answer was brought to the PSP by hand. */
function Forwarded({ disputeId }: { disputeId: string }) {
  const t = useTranslations('operator.disputes');
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const forwarded = operatorApi.decisions.forwarded.useMutation({
    ...notify.after(t('isForwarded')),
    onSettled: () => utils.decisions.disputes.invalidate(),
  });
  return (
    <Button
      size="xs"
      variant="subtle"
      loading={forwarded.isPending}
      onClick={() => forwarded.mutate({ dispute_id: disputeId })}
    >
      {t('forwarded')}
    </Button>
  );
}

function EndDialog({ id, outcome, onClose }: { id: string; outcome: DisputeEnd; onClose: () => void }) {
  const t = useTranslations('operator.disputes');
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const end = operatorApi.decisions.endDispute.useMutation({
    async onSuccess() {
      await utils.decisions.disputes.invalidate();
      notify.done(t('done'));
      onClose();
    },
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
