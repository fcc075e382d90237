import { Group, Stack, Text } from '@mantine/core';
import { IconUser, IconUserCog, IconUserMinus } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import type { PeopleOutput } from '#contract/members/session.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { MoreMenu } from '#panel/shell/more-menu.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { Section } from '#panel/shell/section.tsx';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { EntryButton, EntryList } from './entry-list.tsx';
import { InvitationForm } from './invitation-form.tsx';

const RoleDialog = lazyPart(() => import('./role-dialogs.tsx'), 'RoleDialog');
const RemoveDialog = lazyPart(() => import('./role-dialogs.tsx'), 'RemoveDialog');

type Person = PeopleOutput['members'][number];

/** The members of the business with their roles, and the open invitations. */
export function PeopleSection() {
  const t = useTranslations('panel.security');
  const roles = useTranslations('panel.security.roles');
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const people = api.people.list.useQuery();
  const onSettled = () => utils.people.list.invalidate();
  const withdraw = api.people.withdraw.useMutation({ ...notify.after(t('peopleWithdrawn')), onSettled });
  const [dialog, setDialog] = useState<{ name: 'role' | 'remove'; person: Person } | null>(null);
  const close = () => setDialog(null);
  return (
    <Section title={t('people')} text={people.data && t('peopleText', { count: people.data.members.length })}>
      <QueryState query={people} skeleton={[90]}>
        {({ members, invitations }) => (
          <Stack gap="sm">
            <EntryList
              rows={[...members, ...invitations]}
              entry={(person) => (
                <>
                  <Group gap="2px 6px">
                    <Text fz="sm" span style={{ overflowWrap: 'anywhere' }}>
                      {'name' in person ? person.name : person.email}
                    </Text>
                    <StatusBadge tone="neutral" icon={IconUser} label={roles(person.role)} />
                    {'own' in person && person.own && <StatusBadge tone="ok" label={t('you')} />}
                  </Group>
                  <Muted fz="xs" style={{ overflowWrap: 'anywhere' }}>
                    {'name' in person
                      ? [person.email, !person.has_second_factor && t('peopleOneFactor')].filter(Boolean).join(' · ')
                      : t('peopleUntil', { at: formats.instant(person.expires_at) })}
                  </Muted>
                </>
              )}
              aside={(person) =>
                'name' in person ? (
                  <Group justify="flex-end">
                    <MoreMenu
                      label={t('peopleActions', { name: person.name })}
                      actions={[
                        {
                          label: roles('changeAction'),
                          icon: IconUserCog,
                          onClick: () => setDialog({ name: 'role', person }),
                        },
                        {
                          label: roles('removeAction'),
                          icon: IconUserMinus,
                          isDanger: true,
                          onClick: () => setDialog({ name: 'remove', person }),
                        },
                      ]}
                    />
                  </Group>
                ) : (
                  <EntryButton
                    label={t('peopleWithdraw')}
                    name={t('peopleWithdrawWhat', { email: person.email })}
                    onClick={() => withdraw.mutate({ id: person.id })}
                  />
                )
              }
            />
            <InvitationForm />
            <Suspense fallback={null}>
              {dialog?.name === 'role' && <RoleDialog person={dialog.person} onClose={close} />}
              {dialog?.name === 'remove' && <RemoveDialog person={dialog.person} onClose={close} />}
            </Suspense>
          </Stack>
        )}
      </QueryState>
    </Section>
  );
}
