import { DataList, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { VerificationOutput } from '#contract/kyc/kyc.ts';
import { type KycKind, REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import { KYC_FIELDS, type KycField } from '#domain/kyc/kyc-form.ts';
import type { Formats } from '#panel/create-formats.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DocumentFile } from './document-file.tsx';
import documentClasses from './document-slot.module.css';
import { prettyValue } from './kyc-text.ts';

/** What was handed in, for reading: nothing changes any more. */
export function SubmittedSummary({ verification }: { verification: VerificationOutput }) {
  const t = useTranslations('panel.kyc');
  const formats = useFormats();
  const { form, submitted } = verification;
  if (!form) {
    return <Muted>{t('summaryEmpty')}</Muted>;
  }
  const { kind, ...values } = form;
  return (
    <Section title={t('summary')}>
      <DataList size="sm" labelWidth="min(200px, 40%)" withDivider>
        {fieldsOf(kind).map((field) => {
          const value = (values as Record<string, string>)[field] ?? '';
          if (value === '') return null;
          return (
            <DataList.Item key={field}>
              <DataList.ItemLabel>{t(`fields.${field}`)}</DataList.ItemLabel>
              <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>
                {shown(kind, field, value, formats)}
              </DataList.ItemValue>
            </DataList.Item>
          );
        })}
      </DataList>
      <Title order={3} fz="sm">
        {t('sections.documents')}
      </Title>
      <DataList size="sm" labelWidth="min(200px, 40%)" withDivider>
        {REQUIRED_DOCUMENTS[kind].map((asked) => (
          <DataList.Item key={asked}>
            <DataList.ItemLabel>{t(`documents.${asked}`)}</DataList.ItemLabel>
            <DataList.ItemValue>
              <ul className={documentClasses.files}>
                {submitted
                  .filter((document) => document.kind === asked)
                  .map((document) => (
                    <DocumentFile key={document.id} document={document} />
                  ))}
              </ul>
            </DataList.ItemValue>
          </DataList.Item>
        ))}
      </DataList>
    </Section>
  );
}

const fieldsOf = (kind: KycKind) => Object.keys(KYC_FIELDS[kind]) as KycField[];

function shown(kind: KycKind, field: KycField, value: string, formats: Formats): string {
  if (field === 'monthly_volume') return formats.reais(Number(value));
  if (field === 'born_on' || field === 'opened_on') {
    const [year = '', month = '', day = ''] = value.split('-');
    return `${day}/${month}/${year}`;
  }
  return prettyValue(kind, field, value);
}
