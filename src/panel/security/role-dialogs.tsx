import { Radio, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { PeopleOutput } from '#contract/members/session.ts';
import { ROLES, type Role } from '#domain/members/roles.ts';
import { api } from '#panel/api.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';

type Person = PeopleOutput['members'][number];
type Props = { person: Person; onClose: () => void };

/** The choice of a role, with what each may do in words. */
function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const t = useTranslations('panel.security.roles');
  return (
    <Radio.Group label={t('label')} value={value} onChange={(chosen) => onChange(chosen as Role)}>
      <Stack gap="xs" mt={6}>
        {ROLES.map((role) => (
          <Radio key={role} value={role} label={t(role)} description={t(`${role}Text`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Changes a person's role. */
export function RoleDialog({ person, onClose }: Props) {
  const t = useTranslations('panel.security.roles');
  const notify = useNotify();
  const utils = api.useUtils();
  const [role, setRole] = useState(person.role);
  const change = api.people.setRole.useMutation(
    notify.afterDialog(t('changed', { name: person.name }), { refresh: () => utils.people.list.invalidate(), onClose }),
  );
  return (
    <FormDialog
      title={t('changeTitle', { name: person.name })}
      submit={t('change')}
      call={change}
      onSubmit={() => change.mutate({ id: person.id, role })}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={setRole} />
    </FormDialog>
  );
}

/** Says what ends with a person before they are removed. */
export function RemoveDialog({ person, onClose }: Props) {
  const t = useTranslations('panel.security.roles');
  const notify = useNotify();
  const utils = api.useUtils();
  const remove = api.people.remove.useMutation(
    notify.afterDialog(t('removed', { name: person.name }), { refresh: () => utils.people.list.invalidate(), onClose }),
  );
  return (
    <FormDialog
      isDanger
      title={t('removeTitle', { name: person.name })}
      submit={t('remove')}
      call={remove}
      onSubmit={() => remove.mutate({ id: person.id })}
      onClose={onClose}
    >
      <Text fz="sm">{t('removeText')}</Text>
    </FormDialog>
  );
}
