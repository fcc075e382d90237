import { useTranslations } from 'next-intl';
import type { KycDocumentOutput } from '#contract/kyc/kyc.ts';
import { api } from '#panel/api.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';
import { UploadedFile } from '#panel/uploads/uploaded-file.tsx';

/** An uploaded document: it can be opened and, with `removable`, deleted. */
export function DocumentFile({ document, removable = false }: { document: KycDocumentOutput; removable?: boolean }) {
  const t = useTranslations('panel.kyc.documents');
  const notify = useNotify();
  const { mode } = usePanel();
  const utils = api.useUtils();
  const { id, file_name: name, bytes } = document;
  const remove = api.kyc.removeDocument.useMutation({
    ...notify.after(t('removed', { name })),
    onSettled: () => utils.kyc.get.invalidate(),
  });
  const removal = { isPending: remove.isPending, onRemove: () => remove.mutate({ document_id: id }) };
  return (
    <UploadedFile
      name={name}
      bytes={bytes}
      href={`/download/${mode}/kyc?id=${id}`}
      removal={removable ? removal : undefined}
    />
  );
}
