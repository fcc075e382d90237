import { Button, Group, Modal, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ErrorAlert } from './error-alert.tsx';

type Props = {
  title: string;
  /** What is lost by it. */
  children: ReactNode;
  confirm: string;
  cancel: string;
  isPending: boolean;
  /** Why it was not done. */
  refusal: string | null;
  gap?: 'sm' | 'md';
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before what can't be undone; Enter alone leaves it, because the focus is on the way out. */
export function AskDialog({ title, children, confirm, cancel, isPending, refusal, gap = 'md', ...on }: Props) {
  const t = useTranslations('panel.shell');
  return (
    <Modal opened onClose={on.onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap={gap}>
        {children}
        <ErrorAlert text={refusal} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={on.onClose} data-autofocus>
            {cancel}
          </Button>
          <Button color="red" loading={isPending} onClick={on.onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
