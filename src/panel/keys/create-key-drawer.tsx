import { Alert, Checkbox, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { Suspense } from 'react';
import { KEY_LIFETIME_DAYS_MAX, KEY_NAME_LENGTH_MAX } from '#domain/api-keys/api-key-state.ts';
import { IP_RANGES_MAX, parseIpRange } from '#domain/api-keys/ip-allow-list.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { fieldIssues, paramsOf, reasonOf } from '#panel/shell/call-error.ts';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { useIssueText } from '../shell/use-issue-text.ts';
import classes from './create-key-drawer.module.css';
import { DAY_MS, EXPIRY_CHOICES, type ExpiryChoice, expiryOf } from './expiry.ts';
import { inShownOrder } from './key-text.ts';
import type { NewKey } from './new-key-dialog.tsx';
import { type KeyValues, keyOf, useKeyForm } from './use-key-form.ts';

const ExpiryDay = lazyPart(() => import('./expiry-day.tsx'), 'ExpiryDay');

type Props = { grantable: readonly Permission[]; onClose: () => void; onCreated: (made: NewKey) => void };

/** Asks what a new key is for, what it may do, from where and for how long. */
export function CreateKeyDrawer({ grantable, onClose, onCreated }: Props) {
  const t = useTranslations('panel.keys.form');
  const textOfIssue = useIssueText();
  const utils = api.useUtils();
  const { form, draft } = useKeyForm(grantable);
  const close = () => {
    draft.clear();
    onClose();
  };
  const create = api.keys.create.useMutation({
    async onSuccess({ key, api_key }) {
      draft.clear();
      onCreated({ key, apiKey: api_key });
      await utils.keys.list.invalidate();
    },
    onError(error) {
      const issues = Object.entries(fieldIssues(error)).map(([path, issue]) => [fieldOf(path), issue] as const);
      form.setErrors(Object.fromEntries(issues.map(([field, issue]) => [field, textOfIssue(issue)])));
      focusFirst(issues.map(([field]) => field));
    },
  });
  const submit = form.onSubmit(
    (values) => create.mutate(keyOf(values)),
    (errors) => focusFirst(Object.keys(errors)),
  );
  const { permissions, expiry, day } = form.getValues();
  return (
    <FormDialog
      isDrawer
      isDirty={form.isDirty()}
      title={t('title')}
      submit={t('submit')}
      cancel={t('cancel')}
      call={create}
      errorText={
        reasonOf(create.error) === 'invalid_state' &&
        t('tooMany', { max: paramsOf(create.error).working_keys_max ?? '' })
      }
      onSubmit={submit}
      onClose={close}
    >
      <TextInput
        {...form.getInputProps('name')}
        key={form.key('name')}
        label={t('name')}
        description={t('nameHint')}
        placeholder={t('namePlaceholder')}
        maxLength={KEY_NAME_LENGTH_MAX}
        autoComplete="off"
        data-autofocus
        data-field="name"
      />
      <PermissionBoxes
        grantable={grantable}
        value={permissions}
        error={form.errors.permissions}
        onChange={(chosen) => form.setFieldValue('permissions', chosen)}
      />
      {permissions.includes('withdrawals:write') && (
        <Alert color="yellow" variant="light" p="sm" role="status" title={t('withdrawalsTitle')}>
          {t('withdrawalsText')}
        </Alert>
      )}
      <TagsInput
        {...form.getInputProps('allowed_ips')}
        label={t('ips')}
        description={t('ipsHint')}
        placeholder={form.getValues().allowed_ips.length === 0 ? t('ipsPlaceholder') : ''}
        classNames={{ input: classes.tags, inputField: classes.tagText }}
        splitChars={[',', ' ', ';']}
        maxTags={IP_RANGES_MAX}
        onChange={(texts) => form.setFieldValue('allowed_ips', [...new Set(texts.map(spelled))])}
        data-field="allowed_ips"
      />
      <Stack gap="xs">
        <NativeSelect
          label={t('expiry')}
          value={expiry}
          onChange={({ currentTarget }) => form.setFieldValue('expiry', currentTarget.value as ExpiryChoice)}
          data={EXPIRY_CHOICES.map((value) => ({ value, label: t(`expiryChoices.${value}`) }))}
          error={form.errors.expires_at}
          data-field="expires_at"
        />
        {expiry === 'date' && (
          <DayField value={day} onChange={(picked) => form.setFieldValue('day', picked)} error={form.errors.day} />
        )}
        <ExpiryText expiry={expiry} day={day} />
      </Stack>
    </FormDialog>
  );
}

type BoxesProps = {
  grantable: readonly Permission[];
  value: Permission[];
  onChange: (chosen: Permission[]) => void;
  error: React.ReactNode;
};

function PermissionBoxes({ grantable, value, onChange, error }: BoxesProps) {
  const t = useTranslations('panel.keys');
  return (
    <Checkbox.Group
      label={t('form.permissions')}
      value={value}
      onChange={(chosen) => onChange(chosen as Permission[])}
      error={error}
      data-field="permissions"
    >
      <Stack gap={10} mt={6}>
        {inShownOrder(grantable).map((one) => (
          <Checkbox
            key={one}
            value={one}
            label={t(`permissions.${one}.label`)}
            description={t(`permissions.${one}.text`)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function DayField(props: { value: string | null; onChange: (day: string | null) => void; error: React.ReactNode }) {
  const now = Date.now();
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return (
    <div data-field="day">
      <Suspense fallback={null}>
        <ExpiryDay {...props} from={dayOf(now)} to={dayOf(now + KEY_LIFETIME_DAYS_MAX * DAY_MS)} />
      </Suspense>
    </div>
  );
}

function ExpiryText({ expiry, day }: Pick<KeyValues, 'expiry' | 'day'>) {
  const t = useTranslations('panel.keys.form');
  const { instant } = useFormats();
  const at = expiryOf(expiry, day, new Date());
  if (at === null) return null;
  return <Muted aria-live="polite">{t('expiryOn', { at: instant(at) })}</Muted>;
}

/**
 * An address or range as it will be kept; what is none stays as it was typed, so that its issue is
 * seen.
 */
const spelled = (text: string): string => parseIpRange(text) ?? text;

/** `allowed_ips.2` is an issue of the one input that holds them all. */
const fieldOf = (path: string): string => path.split('.')[0] ?? path;

const ORDER = ['name', 'permissions', 'allowed_ips', 'expires_at', 'day'];

/** Puts the cursor on the first field that has an issue, in the order in which they stand. */
function focusFirst(fields: readonly string[]): void {
  const first = ORDER.find((field) => fields.includes(field));
  const place = first && document.querySelector<HTMLElement>(`[data-field="${first}"]`);
  if (place) (place.matches('input, select') ? place : place.querySelector<HTMLElement>('input'))?.focus();
}
