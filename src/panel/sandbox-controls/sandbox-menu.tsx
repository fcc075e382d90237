import { Group, Menu, Stack, Text } from '@mantine/core';
import { IconFlask, IconPlus } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { SandboxSubjectView } from '#contract/sandbox/sandbox.ts';
import { api } from '#panel/api.tsx';
import { Link } from '#panel/link.tsx';
import { Amount } from '#panel/money/amount.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { type MenuPlace, OpenedMenu } from '#panel/shell/opened-menu.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useStatusText } from '#panel/transactions/transaction-status.tsx';
import { subjectTitle } from './subject-title.ts';
import { inHalf, useSandboxCommand } from './use-sandbox-command.ts';

type Props = { transactionId: string | null };

/**
 * Commands for a transaction of the sandbox; without `transactionId`, for the newest charge that
 * waits for its payer.
 */
export const SandboxMenu = ({ transactionId, ...place }: MenuPlace & Props) => (
  <OpenedMenu width={300} {...place}>
    <Items transactionId={transactionId} />
  </OpenedMenu>
);

function Items({ transactionId }: Props) {
  const t = useTranslations('panel.sandbox.bar');
  const { href } = usePanel();
  const isOne = transactionId !== null;
  const one = api.sandbox.subject.useQuery({ transaction_id: transactionId ?? '' }, { enabled: isOne });
  const newest = api.sandbox.subjects.useQuery(undefined, { enabled: !isOne, select: ({ subjects }) => subjects[0] });
  const { data: subject, isLoading } = isOne ? one : newest;
  return (
    <>
      {subject ? (
        <Commands subject={subject} isOne={isOne} />
      ) : (
        <Muted px="sm" py={6}>
          {t(isLoading ? 'loading' : 'none')}
        </Muted>
      )}
      <Menu.Divider />
      {!subject && (
        <Menu.Item component={Link} href={href('/cobrar')} leftSection={<Icon of={IconPlus} size={16} />}>
          {t('newCharge')}
        </Menu.Item>
      )}
      <Menu.Item
        component={Link}
        href={href(isOne ? `/sandbox?transacao=${transactionId}` : '/sandbox')}
        leftSection={<Icon of={IconFlask} size={16} />}
      >
        {t('all')}
      </Menu.Item>
    </>
  );
}

function Commands({ subject, isOne }: { subject: SandboxSubjectView; isOne: boolean }) {
  const t = useTranslations('panel.sandbox.bar');
  const commands = useTranslations('panel.sandbox.commands');
  const half = useTranslations('panel.sandbox.half');
  const types = useTranslations('panel.transactions.types');
  const command = useSandboxCommand();
  const state = useStatusText({ ...subject, expires_at: null });
  return (
    <>
      <Stack gap={2} p="6px 12px 8px">
        <Muted fz="xs">{t(isOne ? 'aboutThis' : 'about')}</Muted>
        <Group fz="sm" fw={600} gap={12} justify="space-between" wrap="nowrap">
          <span>{types(subject.type)}</span>
          <Amount reais={subject.amount} size="sm" />
        </Group>
        <Group fz="sm" gap={12} justify="space-between" wrap="nowrap">
          <Text span fz="sm" truncate>
            {subjectTitle(subject)}
          </Text>
          {/* Without its hint: a menu holds nothing but its items. */}
          <StatusBadge tone={state.tone} label={state.label} />
        </Group>
      </Stack>
      {subject.commands.length === 0 && (
        <Muted px="sm" py={6}>
          {t('nothing')}
        </Muted>
      )}
      {subject.commands.map((name) => (
        <Menu.Item
          key={name}
          disabled={command.isPending}
          onClick={() =>
            command.mutate({ transaction_id: subject.transaction_id, command: name, ...inHalf(name, subject.amount) })
          }
        >
          {name === 'pay_other' || name === 'pay_part' ? half(name) : commands(`${name}.name`)}
        </Menu.Item>
      ))}
    </>
  );
}
