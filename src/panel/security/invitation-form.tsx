import { Button, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { ROLES, type Role } from '#domain/members/roles.ts';
import { api } from '#panel/api.tsx';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { useNotify } from '#panel/shell/use-notify.ts';

type Values = { email: string; role: Role };

/** An empty invitation, with the role that may do least until another one is chosen. */
const EMPTY: Values = { email: '', role: 'viewer' };

/** The form of an invitation: for whom, and with which role. */
export function InvitationForm() {
  const t = useTranslations('panel.security');
  const roles = useTranslations('panel.security.roles');
  const notify = useNotify();
  const utils = api.useUtils();
  const rules = useSchemaRules<Values>({
    load: () => loadPart(() => import('#contract/members/session.ts')).then((contract) => contract.inviteInput),
    wire: (values) => values,
  });
  const form = useForm<Values>({ initialValues: EMPTY, validate: rules.validate, onValuesChange: rules.prepare });
  const draft = useDraft('invitation', form.values, form.setValues);
  const onSettled = () => utils.people.list.invalidate();
  const invite = api.people.invite.useMutation({ ...notify.after(t('peopleInvited')), onSettled });
  const focus = () => form.getInputNode('email')?.focus();
  const send = (values: Values) => {
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
        <NativeSelect
          {...form.getInputProps('role')}
          label={roles('label')}
          description={roles(`${form.values.role}Text`)}
          data={ROLES.map((role) => ({ value: role, label: roles(role) }))}
          w="100%"
        />
        <Button type="submit" variant="default" loading={form.validating || invite.isPending}>
          {t('peopleInvite')}
        </Button>
      </Stack>
    </form>
  );
}
