import { Alert, Checkbox, NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useLocale, useTranslations } from 'next-intl';
import { Suspense } from 'react';
import { KEY_NAME_LENGTH_MAX } from '#domain/api-keys/api-key-state.ts';
import { IP_RANGES_MAX, parseIpRange } from '#domain/api-keys/ip-allow-list.ts';
import type { Permission } from '#domain/api-keys/permissions.ts';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { serviceNow } from '#panel/connection/service-clock.ts';
import { fieldIssues, paramsOf, reasonOf } from '#panel/shell/call-error.ts';
import { DayField } from '#panel/shell/day-field.tsx';
import { FormDialog } from '#panel/shell/form-dialog.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { useIssueText } from '../shell/use-issue-text.ts';
import classes from './create-key-drawer.module.css';
import { EXPIRY_CHOICES, expiryDays, expiryOf } from './expiry.ts';
import { inShownOrder } from './key-text.ts';
import type { NewKey } from './new-key-dialog.tsx';
import { KEY_FIELDS, keyOf, useKeyForm } from './use-key-form.ts';

const AssistantCaps = lazyPart(() => import('./assistant-caps.tsx'), 'AssistantCaps');

type Props = { grantable: readonly Permission[]; onClose: () => void; onCreated: (made: NewKey) => void };

/** Asks what a new key is for, what it may do, from where and for how long. */
export function CreateKeyDrawer({ grantable, onClose, onCreated }: Props) {
  const t = useTranslations('panel.keys');
  const textOfIssue = useIssueText();
  const language = useLocale();
  const { instant } = useFormats();
  const utils = api.useUtils();
  const { form, draft } = useKeyForm(grantable);
  const create = api.keys.create.useMutation({
    async onSuccess({ key, api_key }) {
      draft.clear();
      onCreated({ key, apiKey: api_key });
      await utils.keys.list.invalidate();
    },
    onError(error) {
      const errors = Object.fromEntries(
        Object.entries(fieldIssues(error)).map(([path, issue]) => [fieldOf(path), textOfIssue(issue)]),
      );
      form.setErrors(errors);
      focusFirst(errors);
    },
  });
  const { permissions, allowed_ips: ranges, expiry, day } = form.values;
  const now = serviceNow();
  const endsAt = expiryOf(expiry, day, now);
  const days = expiryDays(now);
  return (
    <FormDialog
      isDrawer
      isDirty={form.isDirty()}
      title={t('form.title')}
      submit={t('form.submit')}
      cancel={t('form.cancel')}
      call={create}
      errorText={
        reasonOf(create.error) === 'invalid_state' &&
        t('form.tooMany', { max: paramsOf(create.error).working_keys_max ?? '' })
      }
      onSubmit={form.onSubmit((values) => create.mutate(keyOf(values, language)), focusFirst)}
      onClose={() => {
        draft.clear();
        onClose();
      }}
    >
      <TextInput
        {...form.getInputProps('name')}
        label={t('form.name')}
        description={t('form.nameHint')}
        placeholder={t('form.namePlaceholder')}
        maxLength={KEY_NAME_LENGTH_MAX}
        autoComplete="off"
        data-autofocus
      />
      <Checkbox.Group {...form.getInputProps('permissions')} label={t('form.permissions')}>
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
      {permissions.includes('withdrawals:write') && (
        <Alert color="yellow" variant="light" p="sm" role="status" title={t('form.withdrawalsTitle')}>
          {t('form.withdrawalsText')}
        </Alert>
      )}
      {permissions.includes('mcp:withdraw') && (
        <Suspense fallback={null}>
          <AssistantCaps
            callCap={{ ...form.getInputProps('call_cap'), value: form.values.call_cap }}
            dayCap={{ ...form.getInputProps('day_cap'), value: form.values.day_cap }}
          />
        </Suspense>
      )}
      <TagsInput
        {...form.getInputProps('allowed_ips')}
        label={t('form.ips')}
        description={t('form.ipsHint')}
        placeholder={ranges.length === 0 ? t('form.ipsPlaceholder') : ''}
        classNames={{ input: classes.tags, inputField: classes.tagText }}
        splitChars={[',', ' ', ';']}
        maxTags={IP_RANGES_MAX}
        onChange={(texts) => form.setFieldValue('allowed_ips', [...new Set(texts.map(spelled))])}
      />
      <Stack gap="xs">
        <NativeSelect
          {...form.getInputProps('expiry')}
          label={t('form.expiry')}
          data={EXPIRY_CHOICES.map((value) => ({ value, label: t(`form.expiryChoices.${value}`) }))}
        />
        {expiry === 'date' && (
          <DayField
            {...form.getInputProps('day')}
            value={day}
            label={t('form.day')}
            min={days.from}
            max={days.to}
            onChange={(day) => form.setFieldValue('day', day)}
          />
        )}
        {endsAt && <Muted aria-live="polite">{t('form.expiryOn', { at: instant(endsAt) })}</Muted>}
      </Stack>
    </FormDialog>
  );
}

/**
 * An address or range in its canonical form; any other text as it was typed, so that its issue is
 * seen.
 */
const spelled = (text: string): string => parseIpRange(text) ?? text;

/** The form's field of an issue: `allowed_ips.2` belongs to the one input that holds them all. */
function fieldOf(path: string): string {
  const [name = path] = path.split('.');
  return KEY_FIELDS[name] ?? name;
}

/** Puts the cursor on the first field, in page order, that has an issue. */
function focusFirst(errors: object): void {
  const places = Object.keys(errors).map((field) => `[data-path="${field}"]`);
  const place = places.length > 0 ? document.querySelector<HTMLElement>(places.join()) : null;
  (place?.matches('input, select') ? place : place?.querySelector('input'))?.focus();
}
