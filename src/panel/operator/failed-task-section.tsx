import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useQueryState } from 'nuqs';
import type { FailedTask } from '#contract/operator/queue.ts';
import { CallButton } from '#panel/shell/call-button.tsx';
import { FilterSelect } from '#panel/shell/filter-select.tsx';
import { TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { Section } from '#panel/shell/section.tsx';
import { When } from '#panel/shell/when.tsx';
import { ConsoleList } from './console-list.tsx';
import { operatorApi } from './operator-api.tsx';
import { useCodeName } from './use-code-name.ts';
import { useRetry } from './use-retry.ts';

/** Kinds of tasks whose subject is a transaction. */
const ABOUT_TRANSACTIONS: ReadonlySet<string> = new Set([
  'payout',
  'scheduled_payout',
  'sync_charge',
  'sync_invoice',
  'notify_withdrawal_failed',
  'notify_approval',
  'expire_approval',
]);

/** Background tasks whose last attempt failed, and why. */
export function FailedTaskSection() {
  const t = useTranslations('operator.queue');
  const nameOf = useCodeName();
  const [kind, setKind] = useQueryState('tarefa');
  const state = operatorApi.queue.state.useQuery();
  const found = operatorApi.queue.tasks.useInfiniteQuery({ kind }, PAGED);
  const kinds = (state.data?.queue ?? []).map((one) => ({ value: one.kind, label: nameOf('tasks', one.kind) }));
  return (
    <Section
      title={t('failed')}
      text={t('failedText')}
      aside={<FilterSelect aria-label={t('kind')} any={t('anyKind')} options={kinds} value={kind} onChange={setKind} />}
    >
      <ConsoleList
        isInCard
        query={found}
        rowsOf={({ tasks }) => tasks}
        height={120}
        none={t('noneFailed')}
        more={t('more')}
        labelled={['attempts', 'due']}
        label={t('failed')}
        keyOf={({ kind, subject_id: id }) => `${kind} ${id}`}
        title={(name) => t(`columns.${name}`)}
        columns={[
          { name: 'kind', width: 200, isHead: true, cell: ({ kind }) => nameOf('tasks', kind) },
          { name: 'subject', width: 110, cell: (task) => <Subject task={task} /> },
          {
            name: 'error',
            width: 'rest',
            cell: ({ error }) => (
              <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
                {error}
              </Text>
            ),
          },
          { name: 'attempts', width: 100, isNumeric: true, cell: ({ attempts }) => attempts },
          { name: 'due', width: 190, cell: ({ due_at: at }) => <When at={at} seconds /> },
          { name: 'act', width: 160, cell: (task) => <RunButton task={task} /> },
        ]}
      />
    </Section>
  );
}

function Subject({ task: { kind, subject_id: id } }: { task: FailedTask }) {
  const short = <code title={id}>…{id.slice(-6)}</code>;
  return ABOUT_TRANSACTIONS.has(kind) ? (
    <TextLink href={`/operator/transacoes/${id}`} label={short} />
  ) : (
    <Muted span>{short}</Muted>
  );
}

function RunButton({ task: { kind, subject_id } }: { task: FailedTask }) {
  const t = useTranslations('operator.queue');
  const nameOf = useCodeName();
  const utils = operatorApi.useUtils();
  const run = operatorApi.queue.runTask.useMutation(useRetry(() => utils.queue.invalidate()));
  const label = t('run');
  const name = `${label}: ${nameOf('tasks', kind)} …${subject_id.slice(-6)}`;
  return <CallButton call={run} input={{ kind, subject_id }} label={label} aria-label={name} />;
}
