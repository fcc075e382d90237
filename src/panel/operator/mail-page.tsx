'use client';

import { Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { NOT_A_MEMBER } from '#domain/members/not-a-member.ts';
import { CallButton } from '#panel/shell/call-button.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Page } from '#panel/shell/page.tsx';
import { PAGED } from '#panel/shell/paged-list.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { When } from '#panel/shell/when.tsx';
import { ConsoleList } from './console-list.tsx';
import { operatorApi } from './operator-api.tsx';
import { useCodeName } from './use-code-name.ts';

const TONES = { waiting: 'wait', sent: 'ok', given_up: 'bad' } as const;

/** The log of e-mails, newest first: to whom (masked), about what, and whether they were sent. */
export function MailPage() {
  const t = useTranslations('operator.mail');
  const nameOf = useCodeName();
  const [notSent, setNotSent] = useQueryState('nao_enviados', parseAsBoolean.withDefault(false));
  const found = operatorApi.mail.list.useInfiniteQuery({ not_sent: notSent }, PAGED);
  return (
    <Page title={t('title')} description={t('description')} wide>
      <Switch
        mb="sm"
        label={t('onlyNotSent')}
        checked={notSent}
        onChange={({ currentTarget }) => setNotSent(currentTarget.checked)}
      />
      <ConsoleList
        query={found}
        rowsOf={({ mails }) => mails}
        none={t('none')}
        more={t('more')}
        labelled={['attempts']}
        label={t('title')}
        keyOf={({ mail_id: id }) => id}
        title={(name) => t(`columns.${name}`)}
        columns={[
          { name: 'at', cell: ({ created_at: at }) => <When at={at} seconds /> },
          { name: 'template', isHead: true, cell: ({ template }) => nameOf('mails', template) },
          { name: 'recipient', cell: ({ recipient }) => recipient },
          {
            name: 'state',
            cell: ({ state, error, sent_at: sentAt }) => (
              <>
                <StatusBadge tone={TONES[state]} label={t(`states.${state}`)} />
                <Muted fz="xs" component="div">
                  {sentAt ? <When at={sentAt} seconds /> : error}
                </Muted>
              </>
            ),
          },
          { name: 'attempts', isNumeric: true, cell: ({ attempts }) => attempts },
          {
            name: 'act',
            cell: ({ state, error, mail_id: id }) =>
              state === 'given_up' && error !== NOT_A_MEMBER && <ResendButton id={id} />,
          },
        ]}
      />
    </Page>
  );
}

function ResendButton({ id }: { id: string }) {
  const t = useTranslations('operator.mail');
  const notify = useNotify();
  const utils = operatorApi.useUtils();
  const resend = operatorApi.mail.resend.useMutation({
    ...notify.after(t('resent')),
    onSettled: () => utils.mail.list.invalidate(),
  });
  return (
    <>
      <CallButton call={resend} input={{ mail_id: id }} label={t('resend')} />
      <Muted fz="xs">{t('linkOver')}</Muted>
    </>
  );
}
