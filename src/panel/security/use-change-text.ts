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
/** The names of amounts that are recorded in reais. */
const REAIS: readonly string[] = ['threshold', 'call_cap', 'day_cap'];
/** How instants are recorded. */
const INSTANT = /^\d{4}-\d\d-\d\dT.*Z$/;
const WHOLE = /^-?\d+$/;

/** The words for one code; false: it has none. */
export type WordOf = Readonly<Record<string, (code: string) => string | false>>;

type OperatorTexts = {
  /** The text of a field that members do not see; null: it has none. */
  labelOf: (field: string) => string | null;
  /** By the name of the field. */
  wordOf: WordOf;
};

/**
 * Returns a change of the audit log in words: its field, and its values as people read them. A
 * field without a text has the name with which it was recorded. `ofOperators`: the texts of what
 * members do not see.
 */
export function useChangeText(ofOperators?: OperatorTexts): (change: AuditChange) => string {
  const t = useTranslations('panel.security');
  const topics = useTranslations('panel.webhooks.topics');
  const permissions = useTranslations('panel.keys.permissions');
  const providers = useTranslations('panel.providers.names');
  const { reais, instant } = useFormats();
  const feeText = useFeeText();
  const feeTextOf = (value: string) => {
    const [bps = Number.NaN, centavos = Number.NaN] = value.split(' ').map(Number);
    return Number.isNaN(bps + centavos) ? value : feeText({ percent: bps / 100, fixed: centavos / 100 });
  };
  // A code that has no words stays as it is.
  const wordOf: WordOf = {
    role: (code) => t.has(`roles.${code as 'owner'}`) && t(`roles.${code as 'owner'}`),
    topic: (code) => topics.has(code as 'usdt') && topics(code as 'usdt'),
    permissions: (code) => {
      const key = `${code as 'charges:write'}.short` as const;
      return permissions.has(key) && permissions(key);
    },
    provider: (code) => providers.has(code as 'efi') && providers(code as 'efi'),
    fields: (code) => t.has(`credentialFields.${code as 'tls'}`) && t(`credentialFields.${code as 'tls'}`),
    ...ofOperators?.wordOf,
  };
  return ({ name, before, after }) => {
    const field = name.replace(' ', '_') as 'role';
    const textOf = (value: string) => {
      if (name.startsWith(LIMIT)) return WHOLE.test(value) ? reais(Number(value) / 100) : t('activityNoLimit');
      if (name.startsWith(FEE)) return feeTextOf(value);
      if (CENTAVOS.test(name) && WHOLE.test(value)) return reais(Number(value) / 100);
      if (REAIS.includes(name)) return reais(Number(value));
      if (INSTANT.test(value)) return instant(value);
      const word = wordOf[name];
      if (!word) return value;
      const codes = value.split(' ');
      return codes.map((code) => word(code) || code).join(', ');
    };
    const end = after === null ? t('activityNoValue') : textOf(after);
    const own = t.has(`fields.${field}`) ? t(`fields.${field}`) : name.replace(CENTAVOS, '');
    const label = ofOperators?.labelOf(field) ?? own;
    return `${label}: ${before === null ? end : `${textOf(before)} → ${end}`}`;
  };
}
