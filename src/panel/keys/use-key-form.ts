import { useForm } from '@mantine/form';
import { useTranslations } from 'next-intl';
import { KEY_LIFETIME_DAYS_MAX, KEY_NAME_LENGTH_MAX } from '#domain/api-keys/api-key-state.ts';
import { IP_RANGES_MAX, parseIpRange } from '#domain/api-keys/ip-allow-list.ts';
import { DEFAULT_PERMISSIONS, type Permission } from '#domain/api-keys/permissions.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { DAY_MS, EXPIRY_CHOICES, type ExpiryChoice, expiryOf, readDay } from './expiry.ts';

export type KeyValues = {
  name: string;
  permissions: Permission[];
  allowed_ips: string[];
  expiry: ExpiryChoice;
  /** As `2027-01-31`, for the choice `date`. */
  day: string | null;
};

const FIRST: KeyValues = {
  name: '',
  permissions: [...DEFAULT_PERMISSIONS],
  allowed_ips: [],
  expiry: 'never',
  day: null,
};

/**
 * The form of a new key, and what was typed into it before a reload; `draft.clear` forgets that.
 */
export function useKeyForm(grantable: readonly Permission[]) {
  const t = useTranslations('panel.keys.form.faults');
  const form = useForm<KeyValues>({
    mode: 'controlled',
    initialValues: FIRST,
    validate: {
      name: (name) => (name.trim() === '' ? t('name', { max: KEY_NAME_LENGTH_MAX }) : null),
      permissions: (chosen) => (chosen.length === 0 ? t('permissions') : null),
      allowed_ips(texts) {
        const wrong = texts.find((text) => parseIpRange(text) === null);
        if (wrong !== undefined) return t('ips', { ip: wrong });
        return texts.length > IP_RANGES_MAX ? t('ipsMax', { max: IP_RANGES_MAX }) : null;
      },
      day(day, { expiry }) {
        if (expiry !== 'date') return null;
        const now = new Date();
        const at = expiryOf(expiry, day, now);
        const isFine = at !== null && at > now && at.getTime() <= now.getTime() + KEY_LIFETIME_DAYS_MAX * DAY_MS;
        return isFine ? null : t('day', { years: KEY_LIFETIME_DAYS_MAX / 365 });
      },
    },
  });
  const draft = useDraft('key', form.values, (kept) => form.setValues(knownOf(kept, grantable)));
  return { form, draft };
}

/** Of what was kept: what can still be chosen. */
function knownOf(
  { name, permissions, allowed_ips: texts, expiry, day }: Partial<KeyValues>,
  grantable: readonly Permission[],
): Partial<KeyValues> {
  return {
    ...(name !== undefined && { name }),
    ...(permissions && { permissions: permissions.filter((one) => grantable.includes(one)) }),
    ...(texts && { allowed_ips: texts.filter((text) => typeof text === 'string') }),
    ...(EXPIRY_CHOICES.some((one) => one === expiry) && { expiry }),
    ...(typeof day === 'string' && { day: readDay(day) }),
  };
}
