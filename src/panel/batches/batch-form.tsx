import { Button, Card, Group, Stack, Textarea } from '@mantine/core';
import { IconDownload, IconFileUpload } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { BATCH_TEMPLATE } from '#domain/withdrawals/payout-batch.ts';
import { api } from '#panel/api.tsx';
import { useDraft } from '#panel/drafts/use-draft.ts';
import { withApproved } from '#panel/shell/approval.ts';
import { reasonOf, useErrorText } from '#panel/shell/call-error.ts';
import { ErrorAlert } from '#panel/shell/error-alert.tsx';
import { Icon } from '#panel/shell/icon.tsx';
import { usePanel } from '#panel/shell/use-panel.ts';
import { ChooseFiles } from '#panel/uploads/choose-files.tsx';
import { useFormats } from '#panel/use-formats.ts';
import { BatchPreview } from './batch-preview.tsx';
import { readBatchFile } from './read-batch-file.ts';

/** Excel reads a file with this mark as UTF-8. */
const TEMPLATE_ADDRESS = `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${BATCH_TEMPLATE}`)}`;

/** Takes a file or its text, shows what it would send or what is wrong in it, and sends it. */
export function BatchForm() {
  const t = useTranslations('panel.batches');
  const { href } = usePanel();
  const router = useRouter();
  const formats = useFormats();
  const textOf = useErrorText();
  const utils = api.useUtils();
  const [text, setText] = useState('');
  const [isUnreadable, setUnreadable] = useState(false);
  const draft = useDraft('batch', { text }, ({ text: kept = '' }) => setText(kept));
  const preview = api.batches.preview.useMutation();
  const make = api.batches.make.useMutation({
    ...(preview.data &&
      withApproved({ reais: preview.data.amount, subject: t('count', { count: preview.data.count }) })),
    async onSuccess({ batch_id: id, is_new: isNew }) {
      draft.clear();
      await utils.batches.list.invalidate();
      router.push(href(`/lotes/${id}${isNew ? '' : '?repetido=sim'}`));
    },
  });
  // A change drops the preview: only a text that was checked is sent.
  const change = (next: string) => {
    setText(next);
    setUnreadable(false);
    preview.reset();
    make.reset();
  };
  const choose = async ([file]: readonly File[]) => {
    if (!file) return;
    const read = await readBatchFile(file);
    // What was pasted stays: only a file that can be read takes its place.
    if (read === null) return setUnreadable(true);
    change(read);
    preview.mutate({ file: read });
  };
  const result = useRef<HTMLDivElement>(null);
  // It takes the place of the button that was pressed, which had the keyboard's focus.
  useEffect(() => {
    if (preview.data) result.current?.focus();
  }, [preview.data]);
  const error = preview.error ?? (reasonOf(make.error) === 'confirmation_required' ? null : make.error);
  return (
    <Card withBorder padding="lg">
      <Stack gap="md">
        <Group gap="xs">
          <ChooseFiles
            label={t('choose')}
            accept=".csv,text/csv,text/plain"
            onChoose={choose}
            leftSection={<Icon of={IconFileUpload} size={16} />}
          />
          <Button
            component="a"
            href={TEMPLATE_ADDRESS}
            download={t('templateName')}
            variant="subtle"
            leftSection={<Icon of={IconDownload} size={16} />}
          >
            {t('template')}
          </Button>
        </Group>
        <Textarea
          label={t('text')}
          description={t('textHint')}
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          error={isUnreadable && t('unreadable')}
          minRows={4}
          maxRows={14}
          autosize
          spellCheck={false}
          autoCapitalize="none"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        />
        <ErrorAlert text={error && textOf(error)} />
        {preview.data ? (
          <div ref={result} tabIndex={-1} style={{ outline: 'none' }}>
            <BatchPreview
              preview={preview.data}
              send={
                <Button
                  loading={make.isPending || make.isSuccess}
                  onClick={({ detail }) => detail < 2 && make.mutate({ file: text })}
                >
                  {t(preview.data.needs_approval ? 'sendToApproval' : 'send', {
                    count: preview.data.count,
                    amount: formats.reais(preview.data.amount),
                  })}
                </Button>
              }
            />
          </div>
        ) : (
          <div>
            <Button
              loading={preview.isPending}
              disabled={text.trim() === ''}
              onClick={() => preview.mutate({ file: text })}
            >
              {t('check')}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}
