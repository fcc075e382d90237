import { useForm } from '@mantine/form';
import { useLocale } from 'next-intl';
import { KEY_LIFETIME_DAYS_MAX, mayExpireAt } from '#domain/api-keys/api-key-state.ts';
import { DEFAULT_PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import { type Issue, issueOf } from '#domain/errors/issues.ts';
import type { Language } from '#domain/values/language.ts';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { serviceNow } from '#panel/connection/service-clock.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { readDay } from '#panel/shell/read-day.ts';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { EXPIRY_CHOICES, type ExpiryChoice, expiryOf } from './expiry.ts';

export type KeyValues = {
  name: string;
  permissions: Permission[];
  allowed_ips: string[];
  expiry: ExpiryChoice;
  /** As `2027-01-31`, for the choice `date`. */
  day: string | null;
  /** The caps of an assistant, as they were typed. */
  call_cap: string;
  day_cap: string;
};

/** The form's names of fields that are sent under another name. */
export const KEY_FIELDS: Record<string, string> = { expires_at: 'expiry' };

const FIRST: KeyValues = {
  name: '',
  permissions: [...DEFAULT_PERMISSIONS],
  allowed_ips: [],
  expiry: 'never',
  day: null,
  call_cap: '',
  day_cap: '',
};

/** The form of a new key, filled from its draft; `draft.clear` deletes the draft. */
export function useKeyForm(grantable: readonly Permission[]) {
  const language = useLocale();
  const rules = useSchemaRules<KeyValues>({
    load: () => loadPart(() => import('#contract/api-keys/api-keys.ts')).then((contract) => contract.createApiKeyInput),
    wire: (values) => keyOf(values, language),
    fields: KEY_FIELDS,
    also: dayIssue,
  });
  const form = useForm<KeyValues>({
    initialValues: FIRST,
    validate: rules.validate,
    onValuesChange: rules.prepare,
  });
  const draft = useDraft('key', form.values, (kept) => form.setValues(knownOf(kept, grantable)));
  return { form, draft };
}

/** Returns the input of the call that creates the key. */
export const keyOf = ({ expiry, day, call_cap, day_cap, ...rest }: KeyValues, language: Language) => ({
  ...rest,
  ...(rest.permissions.includes('mcp:withdraw') && {
    call_cap: reaisOfText(call_cap, language),
    day_cap: reaisOfText(day_cap, language),
  }),
  expires_at: expiryOf(expiry, day, serviceNow())?.toISOString() ?? null,
});

/** Checks a chosen day, which the schema can't. */
function dayIssue({ expiry, day }: KeyValues): Record<string, Issue> {
  if (expiry !== 'date') return {};
  const now = serviceNow();
  const at = expiryOf(expiry, day, now);
  return at !== null && mayExpireAt(at, now)
    ? {}
    : { day: issueOf('not_in_coming_years', { years: KEY_LIFETIME_DAYS_MAX / 365 }) };
}

/** Returns the fields of a draft that can still be chosen. */
function knownOf(
  { name, permissions, allowed_ips: texts, expiry, day, call_cap, day_cap }: Partial<KeyValues>,
  grantable: readonly Permission[],
): Partial<KeyValues> {
  return {
    ...(name !== undefined && { name }),
    ...(permissions && { permissions: permissions.filter((one) => grantable.includes(one)) }),
    ...(texts && { allowed_ips: texts.filter((text) => typeof text === 'string') }),
    ...(EXPIRY_CHOICES.some((one) => one === expiry) && { expiry }),
    ...(typeof day === 'string' && { day: readDay(day) }),
    ...(typeof call_cap === 'string' && { call_cap }),
    ...(typeof day_cap === 'string' && { day_cap }),
  };
}
