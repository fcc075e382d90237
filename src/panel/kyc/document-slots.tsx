import { Stack, VisuallyHidden } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { KycDocumentOutput } from '#contract/kyc/kyc.ts';
import { DOCUMENT_BYTES_MAX, DOCUMENTS_PER_KIND_MAX, type KycKind, REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DocumentSlot } from './document-slot.tsx';
import { formatBytes } from './kyc-text.ts';
import { useUploads } from './use-uploads.ts';

/** Every document that this kind of merchant hands in. */
export function DocumentSlots(props: {
  kind: KycKind;
  documents: readonly KycDocumentOutput[];
  /** It was asked for already: what is missing is said. */
  showMissing: boolean;
}) {
  const { kind, documents, showMissing } = props;
  const t = useTranslations('panel.kyc.documents');
  const uploads = useUploads();
  const size = formatBytes(DOCUMENT_BYTES_MAX, useFormats());
  return (
    <Stack gap="sm">
      <Muted>{t('rule', { size, count: DOCUMENTS_PER_KIND_MAX })}</Muted>
      {REQUIRED_DOCUMENTS[kind].map((asked) => {
        const there = documents.filter((document) => document.kind === asked);
        return (
          <DocumentSlot
            key={asked}
            merchantKind={kind}
            kind={asked}
            documents={there}
            uploads={uploads}
            missing={showMissing && there.length === 0}
          />
        );
      })}
      <VisuallyHidden role="status">{uploads.arrived && t('uploaded', { name: uploads.arrived })}</VisuallyHidden>
    </Stack>
  );
}
