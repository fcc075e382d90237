'use client';

import { Menu, Text, UnstyledButton } from '@mantine/core';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { SandboxSubjectView } from '#contract/sandbox.ts';
import { api } from '#panel/api.tsx';
import { Amount } from '#panel/money/amount.tsx';
import { Icon } from '#panel/shell/icons.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { TransactionStatusBadge } from '#panel/transactions/transaction-status.tsx';
import { subjectTitle } from './subject-title.ts';
import classes from './test-bar-actions.module.css';
import { inHalf, useSandboxAct } from './use-sandbox-act.ts';

const TRANSACTION_PAGE = /^\/(?:live|test)\/transacoes\/([0-9a-f-]{36})(?:\/|$)/i;

/**
 * In the bar of test mode: what can be made to happen to the transaction that is open, or else to the newest charge that waits for its
 * payer.
 */
export function TestBarActions() {
  const t = useTranslations('panel.sandbox.bar');
  const { href } = usePanel();
  const [opened, setOpened] = useState(false);
  const [, openId] = TRANSACTION_PAGE.exec(usePathname()) ?? [];
  // Nobody needs to know before the menu is open.
  const one = api.sandbox.subject.useQuery({ transaction_id: openId ?? '' }, { enabled: opened && !!openId });
  const waiting = api.sandbox.subjects.useQuery(undefined, { enabled: opened && !openId });
  const subject = openId ? one.data : waiting.data?.subjects[0];
  const loading = openId ? one.isLoading : waiting.isLoading;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={300} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.button} aria-label={t('label')}>
          <span className={classes.long}>{t('open')}</span>
          <span className={classes.short}>{t('openShort')}</span>
          <Icon name="down" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {subject ? (
          <Acts subject={subject} isOpen={!!openId} />
        ) : (
          <Text fz="sm" c="var(--ink-muted)" px="sm" py={6}>
            {t(loading ? 'loading' : 'none')}
          </Text>
        )}
        <Menu.Divider />
        {!subject && (
          <Menu.Item component={Link} href={href('/cobrar')} leftSection={<Icon name="plus" size={16} />}>
            {t('newCharge')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} href={href('/sandbox')} leftSection={<Icon name="sandbox" size={16} />}>
          {t('all')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Acts({ subject, isOpen }: { subject: SandboxSubjectView; isOpen: boolean }) {
  const t = useTranslations('panel.sandbox');
  const types = useTranslations('panel.transactions.types');
  const act = useSandboxAct();
  return (
    <>
      <div className={classes.subject}>
        <Text fz="xs" c="var(--ink-muted)">
          {t(isOpen ? 'bar.aboutThis' : 'bar.about')}
        </Text>
        <Text fz="sm" fw={600} component="div" className={classes.line}>
          <span>{types(subject.type)}</span>
          <Amount reais={subject.amount} size="sm" />
        </Text>
        <Text fz="sm" component="div" className={classes.line}>
          <span className={classes.title}>{subjectTitle(subject)}</span>
          <TransactionStatusBadge type={subject.type} status={subject.status} subStatus={subject.sub_status} />
        </Text>
      </div>
      {subject.acts.length === 0 && (
        <Text fz="sm" c="var(--ink-muted)" px="sm" py={6}>
          {t('bar.nothing')}
        </Text>
      )}
      {subject.acts.map((name) => (
        <Menu.Item
          key={name}
          disabled={act.isPending}
          onClick={() =>
            act.mutate({ transaction_id: subject.transaction_id, act: name, ...inHalf(name, subject.amount) })
          }
        >
          {name === 'pay_other' || name === 'pay_part' ? t(`half.${name}`) : t(`acts.${name}.name`)}
        </Menu.Item>
      ))}
    </>
  );
}
