import { Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type DragEvent, useState } from 'react';
import type { KycDocumentOutput } from '#contract/kyc/kyc.ts';
import { FILE_BYTES_MAX } from '#domain/files/file-bytes-max.ts';
import { DOCUMENTS_PER_KIND_MAX, type KycDocumentKind, type KycKind, REQUIRED_DOCUMENTS } from '#domain/kyc/kyc.ts';
import { api } from '#panel/api.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { Section } from '#panel/shell/section.tsx';
import { ChooseFiles } from '#panel/uploads/choose-files.tsx';
import { formatBytes } from '#panel/uploads/format-bytes.ts';
import { UploadLine } from '#panel/uploads/upload-line.tsx';
import { UploadedFiles } from '#panel/uploads/uploaded-file.tsx';
import { FILES_ACCEPTED, type Uploads, useUploads } from '#panel/uploads/use-uploads.ts';
import { useFormats } from '#panel/use-formats.ts';
import { DocumentFile } from './document-file.tsx';
import classes from './document-slot.module.css';

export const slotButtonId = (kind: KycDocumentKind) => `document-${kind}`;

/** Every document that this kind of merchant submits. */
export function DocumentSlots(props: {
  kind: KycKind;
  documents: readonly KycDocumentOutput[];
  /** The verification was asked for already: missing documents are marked. */
  showMissing: boolean;
}) {
  const { kind, documents, showMissing } = props;
  const title = useTranslations('panel.kyc.sections')('documents');
  const t = useTranslations('panel.kyc.documents');
  const utils = api.useUtils();
  const uploads = useUploads('kyc', () => utils.kyc.get.invalidate());
  const size = formatBytes(FILE_BYTES_MAX, useFormats());
  return (
    <Section title={title} text={t('rule', { size, count: DOCUMENTS_PER_KIND_MAX })}>
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
    </Section>
  );
}

/** One document that is asked for: its files, and where more are chosen or dropped. */
function DocumentSlot(props: {
  merchantKind: KycKind;
  kind: KycDocumentKind;
  documents: readonly KycDocumentOutput[];
  uploads: Uploads;
  missing: boolean;
}) {
  const { merchantKind, kind, documents, uploads, missing } = props;
  const t = useTranslations('panel.kyc.documents');
  const [over, setOver] = useState(false);
  const underway = uploads.all.filter(({ about }) => about.kind === kind);
  const full = documents.length >= DOCUMENTS_PER_KIND_MAX;
  const add = (files: readonly File[]) => uploads.add({ kind }, files);
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(isOver);
  };
  const drop = (event: DragEvent) => {
    drag(false)(event);
    add([...event.dataTransfer.files]);
  };
  return (
    <section
      className={classes.slot}
      data-over={over}
      data-missing={missing}
      aria-labelledby={`${slotButtonId(kind)}-title`}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={drop}
    >
      <Stack gap="xs">
        <div>
          <Title order={3} fz="sm" id={`${slotButtonId(kind)}-title`}>
            {t(kind)}
          </Title>
          <Muted>{t(hintOf(kind, merchantKind))}</Muted>
        </div>
        {documents.length > 0 && (
          <UploadedFiles>
            {documents.map((document) => (
              <DocumentFile key={document.id} document={document} removable />
            ))}
          </UploadedFiles>
        )}
        {underway.map((upload) => (
          <UploadLine
            key={upload.id}
            upload={upload}
            countMax={DOCUMENTS_PER_KIND_MAX}
            onDismiss={() => uploads.dismiss(upload.id)}
          />
        ))}
        {full ? (
          <Muted>{t('full', { count: DOCUMENTS_PER_KIND_MAX })}</Muted>
        ) : (
          <Group gap="xs">
            <ChooseFiles
              id={slotButtonId(kind)}
              size="xs"
              label={t('choose')}
              accept={FILES_ACCEPTED}
              isMultiple
              onChoose={add}
              leftSection={<Icon of={IconUpload} size={14} />}
              aria-label={t('chooseFor', { what: t(kind) })}
              {...(missing && { 'aria-describedby': `${slotButtonId(kind)}-missing` })}
            />
            <Muted className={classes.drop}>{t('drop')}</Muted>
          </Group>
        )}
        {missing && (
          <Text fz="sm" c="var(--tone-bad)" id={`${slotButtonId(kind)}-missing`}>
            {t('missing')}
          </Text>
        )}
      </Stack>
    </section>
  );
}

function hintOf(kind: KycDocumentKind, merchantKind: KycKind) {
  if (kind === 'company' || kind === 'selfie') return `${kind}Hint` as const;
  return merchantKind === 'company' ? (`${kind}HintCompany` as const) : (`${kind}HintPerson` as const);
}
