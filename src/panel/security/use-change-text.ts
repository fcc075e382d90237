import { useTranslations } from 'next-intl';
import type { AuditChange } from '#domain/audit/audit-changes.ts';
import { useFeeText } from '#panel/money/use-fee-text.ts';
import { useFormats } from '#panel/use-formats.ts';

/**
 * The prefix of limits, whose values are centavos; any other value means that the account has none
 * of its own.
 */
const LIMIT = 'limit ';
/** The prefix of fees, whose values are basis points and centavos. */
const FEE = 'fee ';
/** The end of the names of other amounts. */
const CENTAVOS = /_centavos$/;
/** The names of values that are instants. */
const INSTANTS: readonly string[] = ['effective_from', 'applies_from'];
const WHOLE = /^-?\d+$/;

/**
 * Returns a change of the audit log in words: its field, and its values as people read them. A
 * field without a text has the name with which it was recorded.
 */
export function useChangeText(): (change: AuditChange) => string {
  const t = useTranslations('panel.security');
  const { reais, instant } = useFormats();
  const feeText = useFeeText();
  const feeTextOf = (value: string) => {
    const [bps = Number.NaN, centavos = Number.NaN] = value.split(' ').map(Number);
    return Number.isNaN(bps + centavos) ? value : feeText({ percent: bps / 100, fixed: centavos / 100 });
  };
  return ({ name, before, after }) => {
    const field = name.replace(' ', '_') as 'role';
    const textOf = (value: string) => {
      if (name.startsWith(LIMIT)) return WHOLE.test(value) ? reais(Number(value) / 100) : t('activityNoLimit');
      if (name.startsWith(FEE)) return feeTextOf(value);
      if (CENTAVOS.test(name) && WHOLE.test(value)) return reais(Number(value) / 100);
      if (name === 'threshold') return reais(Number(value));
      if (INSTANTS.includes(name)) return instant(value);
      return name === 'role' && t.has(`roles.${value as 'owner'}`) ? t(`roles.${value as 'owner'}`) : value;
    };
    const end = after === null ? t('activityNoValue') : textOf(after);
    const label = t.has(`fields.${field}`) ? t(`fields.${field}`) : name.replace(CENTAVOS, '');
    return `${label}: ${before === null ? end : `${textOf(before)} → ${end}`}`;
  };
}
