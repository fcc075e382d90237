import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { api } from '#panel/api.tsx';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { QueryState } from '#panel/shell/query-state.tsx';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { StatusBadge } from '#panel/shell/status-badge.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { useFormats } from '#panel/use-formats.ts';
import { EntryButton, EntryList } from './entry-list.tsx';

/** Who signs in to the business, and who is invited to. */
export function PeopleSection() {
  const t = useTranslations('panel.security');
  const formats = useFormats();
  const notify = useNotify();
  const utils = api.useUtils();
  const people = api.people.list.useQuery();
  const onSettled = () => utils.people.list.invalidate();
  const withdraw = api.people.withdraw.useMutation({ ...notify.after(t('peopleWithdrawn')), onSettled });
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
          <InvitationForm />
        </Stack>
      )}
    </QueryState>
  );
}

function InvitationForm() {
  const t = useTranslations('panel.security');
  const notify = useNotify();
  const utils = api.useUtils();
  const rules = useSchemaRules<{ email: string }>({
    load: () => loadPart(() => import('#contract/members/session.ts')).then((contract) => contract.inviteInput),
    wire: (values) => values,
  });
  const form = useForm({ initialValues: { email: '' }, validate: rules.validate, onValuesChange: rules.prepare });
  const draft = useDraft('invitation', form.values, form.setValues);
  const onSettled = () => utils.people.list.invalidate();
  const invite = api.people.invite.useMutation({ ...notify.after(t('peopleInvited')), onSettled });
  const focus = () => form.getInputNode('email')?.focus();
  const send = (values: typeof form.values) => {
    const onSuccess = () => {
      draft.clear();
      form.reset();
    };
    const onError = (error: unknown) => {
      form.setErrors(rules.errorsOf(error));
      focus();
    };
    invite.mutate(values, { onSuccess, onError });
  };
  return (
    <form onSubmit={form.onSubmit(send, focus)} noValidate>
      <Stack gap="sm" align="flex-start">
        <TextInput
          {...form.getInputProps('email')}
          label={t('peopleEmail')}
          type="email"
          autoComplete="off"
          required
          w="100%"
        />
        <Button type="submit" variant="default" loading={form.validating || invite.isPending}>
          {t('peopleInvite')}
        </Button>
      </Stack>
    </form>
  );
}
