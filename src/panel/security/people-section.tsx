import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { api } from '#panel/api.tsx';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { fieldIssues } from '#panel/shell/call-error.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useIssueText } from '#panel/shell/use-issue-text.ts';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { EntryButton, EntryList } from './entry-list.tsx';

/** Who signs in to the business, and who is invited to. */
export function PeopleSection() {
  const t = useTranslations('panel.security');
  const formats = useFormats();
  const textOfIssue = useIssueText();
  const notify = useNotify();
  const utils = api.useUtils();
  const people = api.people.list.useQuery();
  const [email, setEmail] = useState('');
  const draft = useDraft('invitation', { email }, (kept) => setEmail(kept.email ?? ''));
  const onSettled = () => utils.people.list.invalidate();
  const invite = api.people.invite.useMutation({ ...notify.after(t('peopleInvited')), onSettled });
  const withdraw = api.people.withdraw.useMutation({ ...notify.after(t('peopleWithdrawn')), onSettled });
  const { email: wrongEmail } = fieldIssues(invite.error);
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
          <EntryList
            rows={[...members, ...invitations]}
            keyOf={(person) => ('id' in person ? person.id : person.email)}
            entry={(person) =>
              'id' in person ? (
                <>
                  <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
                    {person.email}
                  </Text>
                  <Muted fz="xs">{t('peopleUntil', { at: formats.instant(person.expires_at) })}</Muted>
                </>
              ) : (
                <>
                  <Text fz="sm">
                    {person.name} {person.own && <StatusBadge tone="ok" label={t('you')} />}
                  </Text>
                  <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
                    {person.email}
                  </Muted>
                </>
              )
            }
            aside={(person) =>
              'id' in person && (
                <EntryButton
                  label={t('peopleWithdraw')}
                  name={t('peopleWithdrawWhat', { email: person.email })}
                  onClick={() => withdraw.mutate({ id: person.id })}
                />
              )
            }
          />
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
