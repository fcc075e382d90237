import { Button, Card, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { useQueryState } from 'nuqs';
import type { SandboxSubjectView } from '#contract/sandbox/sandbox.ts';
import { isUuid } from '#domain/values/uuid.ts';
import { api } from '#panel/api.tsx';
import { Amount } from '#panel/money/amount.tsx';
import { reasonOf } from '#panel/shell/call-error.ts';
import { EmptyState } from '#panel/shell/empty-state.tsx';
import { LinkButton, TextLink } from '#panel/shell/links.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { When } from '#panel/shell/when.tsx';
import { isMoneyOut } from '#panel/transactions/status-style.ts';
import { TransactionStatusBadge } from '#panel/transactions/transaction-status.tsx';
import { CommandButtons } from './command-buttons.tsx';
import classes from './sandbox-page.module.css';
import { subjectTitle } from './subject-title.ts';

/** Callbacks come within a second or two, so that the effect of a command is seen as it happens. */
const REFRESH_MS = 2_000;

/** A transaction that is chosen, and the commands for it. */
export function SubjectSection() {
  const t = useTranslations('panel.sandbox.subject');
  const [chosen, choose] = useQueryState('transacao');
  const waiting = api.sandbox.subjects.useQuery(undefined, { refetchInterval: REFRESH_MS });
  const subjects = waiting.data?.subjects ?? [];
  // Before a choice: the transaction that the bar's menu is about.
  const current = chosen ?? subjects[0]?.transaction_id;
  return (
    <Section plain title={t('title')} text={t('text')}>
      <div className={classes.columns}>
        <Stack gap="sm">
          <QueryState query={waiting} skeleton={[160]} isEmpty={() => subjects.length === 0} empty={<NothingWaits />}>
            {() => <Waiting subjects={subjects} current={current} onChoose={choose} />}
          </QueryState>
          <OtherId onChoose={choose} />
        </Stack>
        {current && <Chosen key={current} id={current} known={subjects} onStart={() => choose(current)} />}
      </div>
    </Section>
  );
}

type WaitingProps = {
  subjects: readonly SandboxSubjectView[];
  current: string | undefined;
  onChoose: (id: string) => void;
};

function Waiting({ subjects, current, onChoose }: WaitingProps) {
  const t = useTranslations('panel.sandbox.subject');
  const types = useTranslations('panel.transactions.types');
  return (
    <Card withBorder padding={0}>
      <h3 className={classes.caption}>{t('open')}</h3>
      <ul className={`plain-list ${classes.waiting}`}>
        {subjects.map((subject) => (
          <li key={subject.transaction_id}>
            <button
              type="button"
              className={classes.choice}
              aria-pressed={subject.transaction_id === current}
              onClick={() => onChoose(subject.transaction_id)}
            >
              <Text span fz="sm" truncate>
                {types(subject.type)} · {subjectTitle(subject)}
              </Text>
              <Amount reais={subject.amount} size="sm" />
              <Muted span fz={13}>
                <When at={subject.created_at} />
              </Muted>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function NothingWaits() {
  const t = useTranslations('panel.sandbox.subject');
  const { href } = usePanel();
  return (
    <EmptyState
      title={t('none')}
      text={t('noneText')}
      action={<LinkButton href={href('/cobrar')} size="sm" label={t('newCharge')} />}
    />
  );
}

function OtherId({ onChoose }: { onChoose: (id: string) => void }) {
  const t = useTranslations('panel.sandbox.subject');
  const bare = (text: string) => text.trim().toLowerCase();
  const form = useForm({
    initialValues: { id: '' },
    validate: { id: (text) => (isUuid(bare(text)) ? null : t('invalid')) },
  });
  const submit = form.onSubmit(
    ({ id }) => onChoose(bare(id)),
    () => form.getInputNode('id')?.focus(),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <TextInput
          {...form.getInputProps('id')}
          label={t('other')}
          placeholder={t('otherPlaceholder')}
          autoComplete="off"
          spellCheck={false}
          flex={1}
          miw={0}
        />
        <Button type="submit" variant="default" mt={25}>
          {t('use')}
        </Button>
      </Group>
    </form>
  );
}

/** `onStart` keeps a transaction in view after a command, although it no longer waits. */
type Start = { onStart: () => void };

function Chosen({ id, known, onStart }: Start & { id: string; known: readonly SandboxSubjectView[] }) {
  const t = useTranslations('panel.sandbox.subject');
  const subject = api.sandbox.subject.useQuery(
    { transaction_id: id },
    {
      refetchInterval: REFRESH_MS,
      retry: false,
      placeholderData: () => known.find((one) => one.transaction_id === id),
    },
  );
  if (reasonOf(subject.error) === 'not_found') {
    return (
      <Card withBorder padding="lg">
        <Text fz="sm" role="alert">
          {t('notFound')}
        </Text>
      </Card>
    );
  }
  return (
    <QueryState query={subject} skeleton={[220]}>
      {(data) => <Subject subject={data} onStart={onStart} />}
    </QueryState>
  );
}

function Subject({ subject, onStart }: Start & { subject: SandboxSubjectView }) {
  const t = useTranslations('panel.sandbox.subject');
  const types = useTranslations('panel.transactions.types');
  const { href } = usePanel();
  const { transaction_id: id, type, commands } = subject;
  return (
    <Card withBorder padding="lg">
      <Stack gap="md">
        <Group gap="8px 16px" align="flex-start" justify="space-between">
          <div>
            <Amount reais={isMoneyOut(type) ? -subject.amount : subject.amount} size="lg" />
            <Muted style={{ overflowWrap: 'anywhere' }}>
              {types(type)} · {subjectTitle(subject)}
            </Muted>
          </div>
          <div aria-live="polite">
            <TransactionStatusBadge transaction={subject} />
          </div>
        </Group>
        {commands.length > 0 ? (
          <CommandButtons subject={subject} onStart={onStart} />
        ) : (
          <Text fz="sm">{t(isMoneyOut(type) ? 'nothingOut' : 'nothing')}</Text>
        )}
        <TextLink href={href(`/transacoes/${id}`)} c="var(--focus)" label={t('detail')} />
      </Stack>
    </Card>
  );
}
