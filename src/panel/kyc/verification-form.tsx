import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { VerificationOutput } from '#contract/kyc/kyc.ts';
import { KYC_KINDS, type KycKind, missingDocuments } from '#domain/kyc/kyc.ts';
import { type KycField as FieldName, KYC_FIELDS, type KycForm, kycFormIssues } from '#domain/kyc/kyc-form.ts';
import { dateInSaoPaulo } from '#domain/values/business-day.ts';
import { api } from '#panel/api.tsx';
import { loadPart } from '#panel/connection/lazy-part.ts';
import { serviceNow } from '#panel/connection/service-clock.ts';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { useErrorText } from '#panel/shell/call-error.ts';
import { Choice } from '#panel/shell/choice.tsx';
import { focusFirstError } from '#panel/shell/focus-first-error.ts';
import { issuesByField } from '#panel/shell/issues-by-field.ts';
import { useSchemaRules } from '#panel/shell/schema-rules.ts';
import { Section } from '#panel/shell/section.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { DocumentSlots, slotButtonId } from './document-slots.tsx';
import { KycField, type KycValues } from './kyc-field.tsx';
import { prettyValue } from './kyc-text.ts';

/** The id of the element beside the form that shows the verification's state. */
export const STATUS_ID = 'verification-status';

const ADDRESS = {
  name: 'address',
  fields: ['zip', 'street', 'number', 'complement', 'district', 'city', 'state'],
} as const;

/** The sections of the form with their fields, in the order in which they are typed. */
const SECTIONS = {
  company: [
    { name: 'company', fields: ['legal_name', 'trade_name', 'cnpj', 'opened_on', 'monthly_volume', 'site'] },
    ADDRESS,
    { name: 'representative', fields: ['representative_name', 'representative_cpf'] },
  ],
  person: [{ name: 'person', fields: ['name', 'cpf', 'born_on', 'occupation'] }, ADDRESS],
} as const;

/** The form and the documents of a verification, until they are submitted. */
export function VerificationForm({ verification }: { verification: VerificationOutput }) {
  const t = useTranslations('panel.kyc');
  const textOf = useErrorText();
  const { me } = usePanel();
  const utils = api.useUtils();
  const [asked, setAsked] = useState(false);
  const rules = useSchemaRules<KycValues>({
    load: () => loadPart(() => import('#contract/kyc/kyc.ts')).then((contract) => contract.kycFormInput),
    wire: sentOf,
    // Rules that depend on the day, which the schema does not know.
    also: (values) => issuesByField(kycFormIssues(sentOf(values), dateInSaoPaulo(serviceNow()))),
  });
  const form = useForm<KycValues>({
    initialValues: initialValues(verification, me.name),
    validate: rules.validate,
    onValuesChange: rules.prepare,
  });
  const { kind } = form.values;
  const submit = api.kyc.submit.useMutation({
    async onSuccess() {
      draft.clear();
      await utils.kyc.get.invalidate();
      await utils.session.me.invalidate();
      // The form is gone after the read above: the focus goes to the state.
      document.getElementById(STATUS_ID)?.focus();
      notifications.show({ title: t('sent'), message: t('sentText') });
    },
    onError(error) {
      const { documents, ...errors } = rules.errorsOf(error);
      form.setErrors(errors);
      if (documents) void utils.kyc.get.invalidate();
    },
  });
  const draft = useDraft('verification', form.values, ({ kind: kept, ...values }) => {
    form.setValues({ ...values, ...(KYC_KINDS.some((one) => one === kept) && { kind: kept }) });
  });

  const [missing] = missingDocuments(
    kind,
    verification.documents.map((document) => document.kind),
  );
  const wrongFields = Object.keys(form.errors).length;
  const lacksDocuments = asked && missing !== undefined;
  const send = form.onSubmit(
    (values) => {
      if (missing) document.getElementById(slotButtonId(missing))?.focus();
      else submit.mutate(sentOf(values));
    },
    (errors) => focusFirstError((field) => form.getInputNode(field as FieldName), errors, ''),
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        setAsked(true);
        send(event);
      }}
    >
      <Stack gap="md">
        <Choice
          label={t('kind')}
          value={kind}
          onChange={(chosen) => {
            form.setFieldValue('kind', chosen);
            form.clearErrors();
          }}
          data={KYC_KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
        />
        {SECTIONS[kind].map(({ name, fields }) => (
          <Section key={name} title={t(`sections.${name}`)}>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
              {fields.map((field) => (
                <KycField key={field} field={field} form={form} />
              ))}
            </SimpleGrid>
          </Section>
        ))}
        <DocumentSlots kind={kind} documents={verification.documents} showMissing={asked} />
        <Group gap="md">
          <Button type="submit" loading={form.validating || submit.isPending}>
            {t('submit')}
          </Button>
          <Text fz="sm" c={wrongFields > 0 || lacksDocuments ? 'var(--tone-bad)' : 'var(--ink-muted)'} role="status">
            {submit.error && wrongFields === 0
              ? textOf(submit.error)
              : wrongFields > 0
                ? t('checkFields', { count: wrongFields })
                : t(lacksDocuments ? 'checkDocuments' : 'submitHint')}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

/**
 * The initial values: what was typed last time or, before the first, what the account was opened
 * with.
 */
function initialValues({ form, merchant }: VerificationOutput, memberName: string): KycValues {
  const isCompany = merchant.document_type === 'cnpj';
  const known: Partial<KycValues> = form ?? {
    ...(isCompany ? { cnpj: merchant.document, trade_name: merchant.name } : { cpf: merchant.document }),
    name: memberName,
    representative_name: memberName,
  };
  const texts = KYC_KINDS.flatMap((kind) =>
    fieldsOf(kind).map((field) => [field, prettyValue(kind, field, known[field] ?? '')]),
  );
  return { ...Object.fromEntries(texts), kind: known.kind ?? (isCompany ? 'company' : 'person') };
}

const sentOf = ({ kind, ...values }: KycValues) =>
  ({ kind, ...Object.fromEntries(fieldsOf(kind).map((field) => [field, values[field]])) }) as KycForm;

const fieldsOf = (kind: KycKind) => Object.keys(KYC_FIELDS[kind]) as FieldName[];
