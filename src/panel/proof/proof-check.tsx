import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import type { ProofOutput } from '#contract/ledger/proof-output.ts';
import type { ProofIssue, ProofResult } from '#domain/ledger/verify-proof.ts';
import { Amount } from '#panel/money/amount.tsx';
import { DataTable } from '#panel/shell/data-table.tsx';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { type CheckedProof, useProofCheck } from './use-proof-check.ts';

/** This many are fetched and hashed in about a second; more are checked only on request. */
const ENTRIES_UNASKED_MAX = 2_000;

/** Ledger accounts that the page has a name for; another one is shown by its own name. */
const NAMED = ['available', 'pending', 'blocked', 'owed'] as const;
type Named = (typeof NAMED)[number];
const isNamed = (kind: string): kind is Named => (NAMED as readonly string[]).includes(kind);

type Props = { address: string; head: NonNullable<ProofOutput['head']>; entries: number };

/** Recomputes the balances from the entries, in this browser, and says whether all is as sealed. */
export function ProofCheck({ address, head, entries }: Props) {
  const t = useTranslations('panel.proof');
  const { check, state } = useProofCheck(address);
  const isUnasked = entries <= ENTRIES_UNASKED_MAX;
  useEffect(() => {
    if (isUnasked) void check();
  }, [isUnasked, check]);
  return (
    <Section
      title={t('check')}
      text={t('checkText')}
      aside={
        <Button variant="default" size="xs" loading={state === 'running'} onClick={() => void check()}>
          {t('checkNow')}
        </Button>
      }
    >
      {state === null && !isUnasked && <Text fz="sm">{t('many', { entries })}</Text>}
      {typeof state === 'string' && state !== 'running' && <ErrorAlert text={t(`failed.${state}`)} />}
      {state !== null && typeof state === 'object' && <Outcome checked={state} head={head} />}
    </Section>
  );
}

function Outcome({ checked, head }: { checked: CheckedProof; head: Props['head'] }) {
  const t = useTranslations('panel.proof');
  const issueText = useIssueText();
  const { issue, balances, entries, headHash, publicKey } = checked;
  const isSameHead = headHash === head.hash && publicKey === head.public_key;
  const wrong = issue ? issueText(issue) : isSameHead ? null : t('otherHead');
  return (
    <Stack gap="sm">
      <Group gap="sm" role="status">
        <StatusBadge tone={wrong ? 'bad' : 'ok'} label={t(wrong ? 'wrong' : 'right')} />
        <Text fz="sm">{wrong ?? t('checked', { entries })}</Text>
      </Group>
      {!wrong && <Balances balances={balances} />}
    </Stack>
  );
}

function Balances({ balances }: { balances: ProofResult['balances'] }) {
  const t = useTranslations('panel.proof');
  const nameOf = useBalanceName();
  return (
    <DataTable
      rows={Object.entries(balances)}
      keyOf={([kind]) => kind}
      title={(column) => t(`columns.${column}`)}
      label={t('check')}
      folds="never"
      rowProps={([kind]) => ({ 'data-testid': `proved-${kind}` })}
      columns={[
        { name: 'balance', cell: ([kind]) => nameOf(kind), isHead: true },
        { name: 'amount', cell: ([, centavos]) => <Amount reais={centavos / 100} />, isNumeric: true },
      ]}
    />
  );
}

function useBalanceName() {
  const t = useTranslations('panel.proof.balances');
  return (kind: string): string => (isNamed(kind) ? t(kind) : kind);
}

/** Returns the text of what differs from what was sealed. */
function useIssueText() {
  const t = useTranslations('panel.proof.issues');
  const nameOf = useBalanceName();
  return (issue: ProofIssue): string => {
    switch (issue.part) {
      case 'entry':
        return t('entry', {
          number: issue.version,
          balance: nameOf(issue.kind),
          transaction: issue.transaction ?? '-',
        });
      case 'head':
        return t('head', { day: issue.day });
      case 'balance':
        return t('balance', { balance: nameOf(issue.kind) });
      case 'leaf':
        return t('leaf');
      case 'file':
        return t('file');
    }
  };
}
