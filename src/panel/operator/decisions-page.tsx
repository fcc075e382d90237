'use client';

import { Button, Group, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { WaitingItem } from '#contract/operator/decisions.ts';
import { Amount } from '#panel/money/amount.tsx';
import { fieldIssues, reasonOf } from '#panel/shell/call-error.ts';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useIssueText } from '#panel/shell/use-issue-text.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { ConsoleTable } from './console-table.tsx';
import { operatorApi } from './operator-api.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { whenRejected } from './when-rejected.ts';

type Decision = WaitingItem['decisions'][number];

/** What a decision has to name besides the money. */
const NEEDS_TARGET: Partial<Record<Decision['name'], 'charge' | 'account'>> = {
  assign: 'charge',
  deposit: 'account',
  charge: 'account',
};

/**
 * Money that came or left without a request, and what is in review, each with its possible
 * decisions.
 */
export function DecisionsPage() {
  const t = useTranslations('operator.decisions');
  const formats = useFormats();
  const waiting = operatorApi.decisions.waiting.useQuery();
  const [asked, setAsked] = useState<{ item: WaitingItem; decision: Decision } | null>(null);
  return (
    <Page title={t('title')} description={t('description')} wide>
      <ConsoleTable
        query={waiting}
        rowsOf={({ items }) => items}
        none={t('none')}
        label={t('title')}
        keyOf={({ id }) => id}
        title={(name) => t(`columns.${name}`)}
        columns={[
          { name: 'at', cell: ({ at }) => formats.instant(at) },
          {
            name: 'amount',
            isNumeric: true,
            cell: ({ amount }) => (amount === null ? '—' : <Amount reais={amount} />),
          },
          { name: 'what', isHead: true, cell: (item) => <What item={item} /> },
          {
            name: 'decisions',
            cell: (item) => (
              <Group gap={6}>
                {item.decisions.length === 0 && <Muted>{t('returning')}</Muted>}
                {item.decisions.map((decision) => (
                  <Button key={decision.name} size="xs" variant="default" onClick={() => setAsked({ item, decision })}>
                    {t(`acts.${decision.name}`)}
                  </Button>
                ))}
              </Group>
            ),
          },
        ]}
      />
      {asked && <DecisionDialog {...asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}

function What({ item }: { item: WaitingItem }) {
  const t = useTranslations('operator.decisions');
  const { reais } = useFormats();
  const { kind, mode, note, contested, merchant_name: merchant, end_to_end_id: endToEndId } = item;
  const { transaction_id: transactionId, asked_amount: asked } = item;
  const reasons = kind === 'review' && note !== null && t.has(`reasons.${note}` as 'reasons.amount_differs');
  const params = { asked: asked === null ? '' : reais(asked) };
  const text = reasons ? t(`reasons.${note}` as 'reasons.amount_differs', params) : note;
  return (
    <>
      <Text fz="sm" fw={500}>
        {t(`kinds.${kind}`)} {mode === 'test' && <Muted span>({t('test')})</Muted>}
      </Text>
      {contested && <StatusBadge tone="warn" label={t('contested')} hint={t('contestedHint')} />}
      <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
        {[merchant, text, endToEndId].filter(Boolean).join(' · ')}
      </Muted>
      {transactionId !== null && (
        <TextLink fz="xs" href={`/operator/transacoes/${transactionId}`} label={t('transaction')} />
      )}
    </>
  );
}

function DecisionDialog(props: { item: WaitingItem; decision: Decision; onClose: () => void }) {
  const { item, onClose } = props;
  const { name: decision, amount } = props.decision;
  const t = useTranslations('operator.decisions');
  const formats = useFormats();
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const issueText = useIssueText();
  const [target, setTarget] = useState('');
  const [isChecked, setChecked] = useState(false);
  const needs = NEEDS_TARGET[decision];
  const refresh = () => utils.decisions.waiting.invalidate();
  const decide = operatorApi.decisions.decide.useMutation({
    ...notify.afterDialog(t('done'), { refresh, onClose }),
    ...whenRejected(refresh),
  });
  const why = (decide.error as { data?: { params?: { why?: string } } } | null)?.data?.params?.why;
  const isMissing = needs !== undefined && target.trim() === '';
  const { target: issue } = fieldIssues(decide.error);
  const known = why !== undefined && t.has(`problems.${why}` as 'problems.decided');
  return (
    <ReasonDialog
      isDanger={decision === 'write_off'}
      title={t(`acts.${decision}`)}
      text={t(`texts.${textOf(item, decision)}`, { amount: formats.reais(amount ?? 0) })}
      submit={t(`acts.${decision}`)}
      call={decide}
      errorText={reasonOf(decide.error) === 'not_decided' && known && t(`problems.${why}` as 'problems.decided')}
      isDirty={target !== ''}
      onSubmit={(reason) => {
        setChecked(true);
        if (isMissing) return;
        const { id, kind, amount: shown } = item;
        decide.mutate({ id, kind, decision, target: needs ? target.trim() : null, amount: shown, reason });
      }}
      onClose={onClose}
    >
      {needs && (
        <TextInput
          label={t(`targets.${needs}`)}
          value={target}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
          error={isChecked && isMissing ? t('problems.no_target') : issue && issueText(issue)}
          required
          data-autofocus
        />
      )}
    </ReasonDialog>
  );
}

/** A withdrawal is given back, where anything else is credited. */
const textOf = ({ amount }: WaitingItem, decision: Decision['name']) =>
  decision === 'credit' && (amount ?? 0) < 0 ? 'give_back' : decision;
