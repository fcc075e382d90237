import { ActionIcon, Button, FileButton, Group, Progress, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconUpload, IconX } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { type DragEvent, useRef, useState } from 'react';
import type { KycDocumentOutput } from '#contract/kyc/kyc.ts';
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENTS_PER_KIND_MAX,
  type KycDocumentKind,
  type KycKind,
  REQUIRED_DOCUMENTS,
} from '#domain/kyc/kyc.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { Muted } from '#panel/shell/muted.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { DocumentFile } from './document-file.tsx';
import classes from './document-slot.module.css';
import { formatBytes } from './kyc-text.ts';
import { type Upload, type Uploads, useUploads } from './use-uploads.ts';

/** What a file dialog offers; what a file really is, the server says. */
const ACCEPT = 'application/pdf,image/jpeg,image/png';

export const slotButtonId = (kind: KycDocumentKind) => `document-${kind}`;

/** Every document that this kind of merchant submits. */
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

/** One document that is asked for: what it is, its files, and where more are chosen or dropped. */
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
  const underway = uploads.all.filter((upload) => upload.kind === kind);
  const full = documents.length >= DOCUMENTS_PER_KIND_MAX;
  const reset = useRef<() => void>(null);
  const add = (files: readonly File[]) => {
    uploads.add(kind, files);
    // The same file may be chosen again, once it has been mended.
    reset.current?.();
  };
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
          <ul className={classes.files}>
            {documents.map((document) => (
              <DocumentFile key={document.id} document={document} removable />
            ))}
          </ul>
        )}
        {underway.map((upload) => (
          <UploadLine key={upload.id} upload={upload} onDismiss={() => uploads.dismiss(upload.id)} />
        ))}
        {full ? (
          <Muted>{t('full', { count: DOCUMENTS_PER_KIND_MAX })}</Muted>
        ) : (
          <Group gap="xs">
            <FileButton onChange={add} accept={ACCEPT} multiple resetRef={reset}>
              {(button) => (
                <Button
                  {...button}
                  id={slotButtonId(kind)}
                  size="xs"
                  variant="default"
                  leftSection={<Icon of={IconUpload} size={14} />}
                  aria-label={t('chooseFor', { what: t(kind) })}
                  {...(missing && { 'aria-describedby': `${slotButtonId(kind)}-missing` })}
                >
                  {t('choose')}
                </Button>
              )}
            </FileButton>
            <Muted className={classes.drop}>{t('drop')}</Muted>
          </Group>
        )}
        {missing && (
          <Text fz="sm" className={classes.issue} id={`${slotButtonId(kind)}-missing`}>
            {t('missing')}
          </Text>
        )}
      </Stack>
    </section>
  );
}

/** A file on its way, or why it was not taken. */
function UploadLine({ upload, onDismiss }: { upload: Upload; onDismiss: () => void }) {
  const t = useTranslations('panel.kyc');
  const formats = useFormats();
  const { name, issue, progress } = upload;
  if (issue === null) {
    const percent = Math.round(progress * 100);
    return (
      <div>
        <Text fz="sm" className={classes.name}>
          {name}
        </Text>
        <Progress.Root size="sm" mt={4}>
          <Progress.Section value={percent} aria-label={t('documents.progress', { name })} />
        </Progress.Root>
        <VisuallyHidden role="status">{t('documents.uploading')}</VisuallyHidden>
      </div>
    );
  }
  const key = `uploadIssues.${issue}` as 'uploadIssues.other';
  const params = { size: formatBytes(DOCUMENT_BYTES_MAX, formats), count: DOCUMENTS_PER_KIND_MAX };
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" role="alert">
      <Text fz="sm" className={classes.issue} flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <strong>{t('documents.notSent', { name })}.</strong> {t(t.has(key) ? key : 'uploadIssues.other', params)}
      </Text>
      <ActionIcon variant="subtle" color="gray" size="sm" onClick={onDismiss} aria-label={t('documents.dismiss')}>
        <Icon of={IconX} size={14} />
      </ActionIcon>
    </Group>
  );
}

function hintOf(kind: KycDocumentKind, merchantKind: KycKind) {
  if (kind === 'company' || kind === 'selfie') return `${kind}Hint` as const;
  return merchantKind === 'company' ? (`${kind}HintCompany` as const) : (`${kind}HintPerson` as const);
}
