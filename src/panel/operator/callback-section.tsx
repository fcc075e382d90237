import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { CALLBACK_STATES, type ListedCallback } from '#contract/operator/queue.ts';
import { CallButton } from '#panel/shell/call-button.tsx';
import { FilterSelect } from '#panel/shell/filter-select.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { When } from '#panel/shell/when.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { ConsoleList } from './console-list.tsx';
import { operatorApi } from './operator-api.tsx';
import { useCodeName } from './use-code-name.ts';
import { useRetry } from './use-retry.ts';

/** A short page, because it stands below the queue and what failed. */
const PAGE = 20;

/** Outcomes of process-callback.ts: nothing that is known here, or nothing readable. */
const UNMATCHED = /unknown_|unreadable/;

/** What providers have called back with, and the outcome of each. */
export function CallbackSection() {
  const t = useTranslations('operator.queue');
  const [state, setState] = useQueryState('avisos', parseAsStringLiteral(CALLBACK_STATES));
  const found = operatorApi.queue.callbacks.useInfiniteQuery({ state, limit: PAGE }, PAGED);
  return (
    <Section
      title={t('callbacks')}
      text={t('callbacksText')}
      aside={
        <FilterSelect
          aria-label={t('which')}
          any={t('all')}
          options={CALLBACK_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={state}
          onChange={setState}
        />
      }
    >
      <ConsoleList
        isInCard
        query={found}
        rowsOf={({ callbacks }) => callbacks}
        height={200}
        none={t('noCallbacks')}
        further={t('further')}
        more={t('more')}
        label={t('callbacks')}
        keyOf={({ callback_id: id }) => id}
        title={(name) => t(`columns.${name}`)}
        columns={[
          { name: 'at', width: 190, isHead: true, cell: ({ received_at: at }) => <When at={at} seconds /> },
          { name: 'rail', width: 220, cell: ({ rail }) => rail },
          { name: 'outcome', width: 'rest', cell: (callback) => <Outcome callback={callback} /> },
          { name: 'act', width: 190, cell: (callback) => <RetryButton callback={callback} /> },
        ]}
      />
    </Section>
  );
}

function Outcome({ callback: { outcome, task } }: { callback: ListedCallback }) {
  const t = useTranslations('operator.queue');
  const formats = useFormats();
  const nameOf = useCodeName();
  const isUnmatched = outcome !== null && UNMATCHED.test(outcome);
  const outcomes = Map.groupBy(outcome?.split(' ') ?? [], (code) => nameOf('outcomes', code));
  const words = [...outcomes].map(([name, all]) => (all.length > 1 ? `${name} (${all.length})` : name)).join(', ');
  const said = [words, task?.error, task && t('again', { at: formats.instantExactly(task.due_at) })].filter(Boolean);
  return (
    <>
      {task ? (
        <StatusBadge tone={task.error ? 'bad' : 'wait'} label={t(task.error ? 'fails' : 'waits')} />
      ) : (
        <StatusBadge tone={isUnmatched ? 'warn' : 'ok'} label={t(isUnmatched ? 'unmatched' : 'processed')} />
      )}
      <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
        {said.join(' · ')}
      </Muted>
    </>
  );
}

function RetryButton({ callback: { callback_id: id, rail, received_at: at } }: { callback: ListedCallback }) {
  const t = useTranslations('operator.queue');
  const formats = useFormats();
  const utils = operatorApi.useUtils();
  const retry = operatorApi.queue.retryCallback.useMutation(useRetry(() => utils.queue.invalidate()));
  const label = t('retry');
  // Two may come in one second.
  const name = `${label}: ${rail}, ${formats.instantExactly(at)}, …${id.slice(-6)}`;
  return <CallButton call={retry} input={{ callback_id: id }} label={label} aria-label={name} />;
}
