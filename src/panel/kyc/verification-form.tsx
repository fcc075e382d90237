import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import type { VerificationOutput } from '#contract/kyc/kyc.ts';
import { KYC_KINDS, type KycKind, missingDocuments } from '#domain/kyc/kyc.ts';
import {
  type KycField as FieldName,
  KYC_FIELDS,
  type KycForm,
  kycFieldIssue,
  kycFormIssues,
} from '#domain/kyc/kyc-form.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { api } from '#panel/api.tsx';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { fieldIssues, useErrorText } from '#panel/shell/call-error.ts';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { useIssueText } from '../shell/use-issue-text.ts';
import { slotButtonId } from './document-slot.tsx';
import { DocumentSlots } from './document-slots.tsx';
import { KycField, type KycValues } from './kyc-field.tsx';
import { prettyValue } from './kyc-text.ts';
import { STATUS_ID } from './verification-status.tsx';

const ADDRESS = ['zip', 'street', 'number', 'complement', 'district', 'city', 'state'] as const;

/** What is asked, in the order in which it is typed. */
const SECTIONS: Record<
  KycKind,
  { name: 'company' | 'person' | 'address' | 'representative'; fields: readonly FieldName[] }[]
> = {
  company: [
    { name: 'company', fields: ['legal_name', 'trade_name', 'cnpj', 'opened_on', 'monthly_volume', 'site'] },
    { name: 'address', fields: ADDRESS },
    { name: 'representative', fields: ['representative_name', 'representative_cpf'] },
  ],
  person: [
    { name: 'person', fields: ['name', 'cpf', 'born_on', 'occupation'] },
    { name: 'address', fields: ADDRESS },
  ],
};

/** The form and the documents of a verification, up to handing them in. */
export function VerificationForm({ verification }: { verification: VerificationOutput }) {
  const t = useTranslations('panel.kyc');
  const textOf = useErrorText();
  const { me } = usePanel();
  const utils = api.useUtils();
  const today = dateInSaoPaulo(new Date());
  const [kind, setKind] = useState<KycKind>(verification.form?.kind ?? kindOf(verification));
  const [asked, setAsked] = useState(false);
  const textOfIssue = useIssueText();
  const form = useForm<KycValues>({
    initialValues: initialValues(verification, me.name),
    validate: (values) => issueTexts(values, kind),
  });
  const issueTexts = (values: KycValues, of: KycKind) =>
    Object.fromEntries(
      (Object.keys(KYC_FIELDS[of]) as FieldName[]).flatMap((field) => {
        const issue = kycFieldIssue(of, field, values[field], today);
        return issue ? [[field, textOfIssue(issue)]] : [];
      }),
    );
  const submit = api.kyc.submit.useMutation({
    async onSuccess() {
      draft.clear();
      await utils.kyc.get.invalidate();
      await utils.session.me.invalidate();
      // The form is gone: what is read next is how it stands now.
      document.getElementById(STATUS_ID)?.focus();
      notifications.show({ title: t('sent'), message: t('sentText') });
    },
    onError(error) {
      const { documents, ...issues } = fieldIssues(error);
      form.setErrors(Object.fromEntries(Object.entries(issues).map(([field, issue]) => [field, textOfIssue(issue)])));
      if (documents) void utils.kyc.get.invalidate();
    },
  });
  const draft = useDraft('verification', { kind, ...form.values }, ({ kind: kept, ...values }) => {
    const known = KYC_KINDS.find((one) => one === kept);
    if (known) setKind(known);
    form.setValues(Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'string')));
  });

  const documentKinds = verification.documents.map((document) => document.kind);
  const missing = missingDocuments(kind, documentKinds);
  const wrongFields = Object.keys(form.errors).length;
  const send = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    const values = { kind, ...pick(form.getValues(), kind) } as KycForm;
    const [first] = kycFormIssues(values, today);
    // The rules are synchronous: the errors are set when this returns.
    void form.validate();
    if (first) return form.getInputNode(first.field as FieldName)?.focus();
    if (missing[0]) return document.getElementById(slotButtonId(missing[0]))?.focus();
    submit.mutate(values);
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        <div>
          <Text fz="sm" fw={500} mb={4} id="merchant-kind">
            {t('kind')}
          </Text>
          <SegmentedControl
            aria-labelledby="merchant-kind"
            value={kind}
            onChange={(chosen) => {
              setKind(chosen as KycKind);
              form.clearErrors();
            }}
            data={KYC_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          />
        </div>
        {SECTIONS[kind].map(({ name, fields }) => (
          <Section key={name} title={t(`sections.${name}`)}>
            <Fields form={form} kind={kind} fields={fields} today={today} />
          </Section>
        ))}
        <Section title={t('sections.documents')}>
          <DocumentSlots kind={kind} documents={verification.documents} showMissing={asked} />
        </Section>
        <Group gap="md">
          <Button type="submit" loading={submit.isPending}>
            {t('submit')}
          </Button>
          <Text
            fz="sm"
            c={wrongFields > 0 || (asked && missing.length > 0) ? 'var(--tone-bad)' : 'var(--ink-muted)'}
            role="status"
          >
            {submit.error && wrongFields === 0
              ? textOf(submit.error)
              : wrongFields > 0
                ? t('checkFields', { count: wrongFields })
                : asked && missing.length > 0
                  ? t('checkDocuments')
                  : t('submitHint')}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

type FieldsProps = { form: UseFormReturnType<KycValues>; kind: KycKind; fields: readonly FieldName[]; today: string };

function Fields({ fields, ...rest }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
      {fields.map((field) => (
        <KycField key={field} field={field} {...rest} />
      ))}
    </SimpleGrid>
  );
}

/** What was typed last time; before the first, what the account was opened with. */
function initialValues({ form, merchant }: VerificationOutput, memberName: string): KycValues {
  const names = [...Object.keys(KYC_FIELDS.company), ...Object.keys(KYC_FIELDS.person)] as FieldName[];
  const isCompany = merchant.document_type === 'cnpj';
  const known: Partial<KycValues> = form ?? {
    ...(isCompany ? { cnpj: merchant.document, trade_name: merchant.name } : { cpf: merchant.document }),
    name: memberName,
    representative_name: memberName,
  };
  const shown = (field: FieldName, value: string) =>
    prettyValue(field in KYC_FIELDS.company ? 'company' : 'person', field, value);
  return Object.fromEntries(names.map((field) => [field, shown(field, known[field] ?? '')])) as KycValues;
}

const kindOf = ({ merchant }: VerificationOutput): KycKind =>
  merchant.document_type === 'cnpj' ? 'company' : 'person';

const pick = (values: KycValues, kind: KycKind) =>
  Object.fromEntries((Object.keys(KYC_FIELDS[kind]) as FieldName[]).map((field) => [field, values[field]]));
