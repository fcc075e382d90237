import { Button, Group } from '@mantine/core';
import { IconDownload, IconEraser } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { Suspense, useState } from 'react';
import { api } from '#panel/api.tsx';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { saveFile } from '#panel/exports/save-file.ts';
import { Icon } from '#panel/shell/icon.tsx';
import { useNotify } from '#panel/shell/use-notify.ts';
import { usePanel } from '#panel/shell/use-panel.ts';

const EraseDialog = lazyPart(() => import('./erase-dialog.tsx'), 'EraseDialog');

type Props = {
  /** A transaction that names the person. */
  id: string;
  /** Called with the transaction that names them from then on; null: none does. */
  onErased?: ((next: string | null) => void) | undefined;
};

/** What a person may ask for who is in the account's data (LGPD): a copy of it, and its erasure. */
export function PersonalData({ id, onErased }: Props) {
  const t = useTranslations('panel.customers.data');
  const { may } = usePanel();
  const notify = useNotify();
  const [isErasing, setErasing] = useState(false);
  const file = api.customers.export.useMutation({
    onSuccess({ name, text }) {
      saveFile(new Blob([text], { type: 'application/json' }), name);
      notify.done(t('exported'));
    },
    onError: notify.failed,
  });
  return (
    <>
      <Group gap="xs">
        {may('customers.export') && (
          <Button
            variant="default"
            leftSection={<Icon of={IconDownload} size={16} />}
            loading={file.isPending}
            onClick={() => file.mutate({ customer_id: id })}
          >
            {t('export')}
          </Button>
        )}
        {may('customers.erase') && (
          <Button
            variant="default"
            color="red"
            leftSection={<Icon of={IconEraser} size={16} />}
            onClick={() => setErasing(true)}
          >
            {t('erase')}
          </Button>
        )}
      </Group>
      <Suspense fallback={null}>
        {isErasing && <EraseDialog id={id} onErased={onErased} onClose={() => setErasing(false)} />}
      </Suspense>
    </>
  );
}
