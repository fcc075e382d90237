import { DataList, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { VerificationOutput } from '#contract/kyc/kyc.ts';
import { type KycDocumentKind, type KycKind, REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import type { KycField } from '#domain/kyc/kyc-form.ts';
import type { Formats } from '#panel/create-formats.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { UploadedFiles } from '#panel/uploads/uploaded-file.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DocumentFile } from './document-file.tsx';
import { prettyValue } from './kyc-text.ts';

/** What was submitted, for reading only. */
export function SubmittedSummary({ verification: { form, submitted } }: { verification: VerificationOutput }) {
  const t = useTranslations('panel.kyc');
  const formats = useFormats();
  if (!form) return <Muted>{t('summaryEmpty')}</Muted>;
  const { kind, ...values } = form;
  const filesOf = (asked: KycDocumentKind) => (
    <UploadedFiles>
      {submitted
        .filter((document) => document.kind === asked)
        .map((document) => (
          <DocumentFile key={document.id} document={document} />
        ))}
    </UploadedFiles>
  );
  return (
    <Section title={t('summary')}>
      <Pairs
        pairs={Object.entries<string>(values)
          .filter(([, value]) => value !== '')
          .map(([field, value]) => [t(`fields.${field as KycField}`), shown(kind, field, value, formats)])}
      />
      <Title order={3} fz="sm">
        {t('sections.documents')}
      </Title>
      <Pairs pairs={REQUIRED_DOCUMENTS[kind].map((asked) => [t(`documents.${asked}`), filesOf(asked)])} />
    </Section>
  );
}

const Pairs = ({ pairs }: { pairs: (readonly [string, ReactNode])[] }) => (
  <DataList size="sm" labelWidth="min(200px, 40%)" withDivider>
    {pairs.map(([label, value]) => (
      <DataList.Item key={label}>
        <DataList.ItemLabel>{label}</DataList.ItemLabel>
        <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{value}</DataList.ItemValue>
      </DataList.Item>
    ))}
  </DataList>
);

function shown(kind: KycKind, field: string, value: string, formats: Formats): string {
  if (field === 'monthly_volume') return formats.reais(Number(value));
  if (field === 'born_on' || field === 'opened_on') {
    const [year = '', month = '', day = ''] = value.split('-');
    return `${day}/${month}/${year}`;
  }
  return prettyValue(kind, field, value);
}
