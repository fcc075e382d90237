import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useLocale, useTranslations } from 'next-intl';
import { type ComponentProps, type FocusEvent, useState } from 'react';
import type { KycKind } from '#domain/kyc/kyc.ts';
import { type KycField as FieldName, KYC_FIELDS, STATES } from '#domain/kyc/kyc-form.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { serviceNow } from '#panel/connection/service-clock.ts';
import { AmountInput } from '#panel/money/amount-input.tsx';
import { reaisOfText } from '#panel/money/reais-of-text.ts';
import { DayField } from '#panel/shell/day-field.tsx';
import { prettyValue } from './kyc-text.ts';

/**
 * The fields of companies and persons together: a member who switches between them loses nothing.
 */
export type KycValues = Record<FieldName, string> & { kind: KycKind };

/** Values of `autocomplete`: what the browser may fill in by itself. */
const AUTO_COMPLETE: Partial<Record<FieldName, string>> = {
  legal_name: 'organization',
  name: 'name',
  born_on: 'bday',
  occupation: 'organization-title',
  zip: 'postal-code',
  street: 'address-line1',
  complement: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  site: 'url',
};

/** The maximum of the form's rule, in centavos: R$ 1 billion a month. */
const VOLUME_CENTAVOS_MAX = 100_000_000_000n;

const HINT_BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];

/** One field, drawn by what its rule says is typed in it. */
export function KycField({ form, field }: { form: UseFormReturnType<KycValues>; field: FieldName }) {
  const t = useTranslations('panel.kyc');
  const { kind, [field]: value } = form.getValues();
  const rule = (KYC_FIELDS[kind] as Record<string, { is: string; optional?: true }>)[field];
  const hint = `fieldHints.${field}` as 'fieldHints.name';
  const isOptional = rule?.optional === true;
  const leave = (event: FocusEvent) => {
    const pretty = prettyValue(kind, field, value);
    if (pretty !== value) form.setFieldValue(field, pretty);
    // On the way to a button no issue is shown yet: its text would move the button away from under
    // the pointer.
    const { relatedTarget } = event;
    if (relatedTarget instanceof HTMLInputElement || relatedTarget instanceof HTMLSelectElement)
      void form.validateField(field);
  };
  const common = {
    ...form.getInputProps(field),
    onBlur: leave,
    label: isOptional ? t('optional', { label: t(`fields.${field}`) }) : t(`fields.${field}`),
    description: t.has(hint) ? t(hint) : null,
    required: !isOptional,
    // The hint stands below the input, so that two fields beside each other begin at one height.
    inputWrapperOrder: HINT_BELOW,
  };
  if (rule?.is === 'reais') {
    return <WholeReais {...common} value={value} onChange={(reais) => form.setFieldValue(field, reais)} />;
  }
  if (rule?.is === 'state') {
    const states = [{ value: '', label: t('chooseState') }, ...STATES.map((state) => ({ value: state, label: state }))];
    return <NativeSelect {...common} data={states} autoComplete={AUTO_COMPLETE.state} />;
  }
  if (rule?.is === 'past_date' || rule?.is === 'adult_birth') {
    return (
      <DayField
        {...common}
        value={value}
        onChange={(day, typed) => form.setFieldValue(field, day ?? typed)}
        max={dateInSaoPaulo(serviceNow())}
        isOld
        autoComplete={AUTO_COMPLETE[field] ?? 'off'}
      />
    );
  }
  return (
    <TextInput
      {...common}
      inputMode={rule?.is === 'zip' || rule?.is === 'cpf' ? 'numeric' : rule?.is === 'site' ? 'url' : 'text'}
      autoComplete={AUTO_COMPLETE[field] ?? 'off'}
    />
  );
}

type WholeReaisProps = Omit<ComponentProps<typeof AmountInput>, 'maxCentavos' | 'ref'>;

/** The input keeps what is typed; the form gets the reais as digits, or a text that it rejects. */
function WholeReais({ value, onChange, ...props }: WholeReaisProps) {
  const language = useLocale();
  const [typed, setTyped] = useState(value);
  const said = (text: string) => String(reaisOfText(text, language, VOLUME_CENTAVOS_MAX) ?? text);
  return (
    <AmountInput
      {...props}
      // A draft is restored after the first render.
      value={said(typed) === value ? typed : value}
      onChange={(text) => {
        setTyped(text);
        onChange(said(text));
      }}
      maxCentavos={VOLUME_CENTAVOS_MAX}
    />
  );
}
