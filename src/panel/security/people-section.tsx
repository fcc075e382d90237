import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { api } from '#panel/api.tsx';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { fieldIssues, useErrorText } from '#panel/shell/call-error.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { useIssueText } from '../shell/use-issue-text.ts';

/** Who signs in to the business, and who is invited to. */
export function PeopleSection() {
  const t = useTranslations('panel.security');
  const formats = useFormats();
  const textOf = useErrorText();
  const textOfIssue = useIssueText();
  const utils = api.useUtils();
  const people = api.people.list.useQuery();
  const [email, setEmail] = useState('');
  const draft = useDraft('invitation', { email }, (kept) => setEmail(kept.email ?? ''));
  const after = (message: string) => ({
    onSettled: () => utils.people.list.invalidate(),
    onError: (error: unknown) => void notifications.show({ message: textOf(error), color: 'red' }),
    onSuccess: () => void notifications.show({ message, color: 'green' }),
  });
  const invite = api.people.invite.useMutation(after(t('peopleInvited')));
  const { email: wrongEmail } = fieldIssues(invite.error);
  const withdraw = api.people.withdraw.useMutation(after(t('peopleWithdrawn')));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      draft.clear();
      setEmail('');
    };
    invite.mutate({ email: email.trim() }, { onSuccess });
  };
  return (
    <QueryState query={people} skeleton={[90]}>
      {({ members, invitations }) => (
        <Stack gap="sm">
          <Muted>{t('peopleText', { count: members.length })}</Muted>
          {members.map((member) => (
            <div key={member.email}>
              <Text fz="sm">
                {member.name} {member.own && <StatusBadge tone="ok" label={t('you')} />}
              </Text>
              <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
                {member.email}
              </Muted>
            </div>
          ))}
          {invitations.map((invitation) => (
            <Group key={invitation.id} justify="space-between" wrap="nowrap">
              <div>
                <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
                  {invitation.email}
                </Text>
                <Muted fz="xs">{t('peopleUntil', { at: formats.instant(invitation.expires_at) })}</Muted>
              </div>
              <Button
                size="xs"
                variant="default"
                style={{ flexShrink: 0 }}
                aria-label={t('peopleWithdrawWhat', { email: invitation.email })}
                onClick={() => withdraw.mutate({ id: invitation.id })}
              >
                {t('peopleWithdraw')}
              </Button>
            </Group>
          ))}
          <form onSubmit={submit}>
            <Stack gap="sm" align="flex-start">
              <TextInput
                label={t('peopleEmail')}
                type="email"
                autoComplete="off"
                required
                w="100%"
                error={wrongEmail && textOfIssue(wrongEmail)}
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
              <Button type="submit" variant="default" loading={invite.isPending}>
                {t('peopleInvite')}
              </Button>
            </Stack>
          </form>
        </Stack>
      )}
    </QueryState>
  );
}
