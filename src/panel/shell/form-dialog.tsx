import { Button, Drawer, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useEffect } from 'react';
import { fieldIssues, reasonOf, useErrorText } from './call-error.ts';
import { ErrorAlert } from './error-alert.tsx';

type Props = {
  title: string;
  children: ReactNode;
  submit: string;
  /** Null: there is nothing to give up. */
  cancel?: string | null;
  /** What is sent. */
  call: { isPending: boolean; error: unknown };
  /** Why it was not done, where the form says it better than its reason does. */
  errorText?: ReactNode;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  /** It can't be undone: Enter alone leaves it, because the focus is on the way out. */
  isDanger?: boolean;
  /** There is nothing to type: the focus is on the way on. */
  isQuestion?: boolean;
  /** At the side, for a form with many fields. */
  isDrawer?: boolean;
  /** What was typed is thrown away on purpose only. */
  isDirty?: boolean;
  size?: ModalProps['size'];
};

/** Every dialog that asks: its fields, its errors, and both ways out. */
export function FormDialog(props: Props) {
  const { title, children, submit, call, onClose, isDanger = false, isDrawer = false, isDirty = false } = props;
  const t = useTranslations('panel.shell.confirm');
  const { cancel = t('cancel') } = props;
  const textOf = useErrorText();
  useEffect(() => {
    const opener = document.activeElement;
    // After closing, the focus is where it was opened.
    return () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  // Who gave up the second factor knows why nothing happened; a field says by itself what is wrong
  // with it.
  const isSaid = reasonOf(call.error) === 'confirmation_required' || Object.keys(fieldIssues(call.error)).length > 0;
  const errorText = props.errorText || (Boolean(call.error) && !isSaid && textOf(call.error));
  const frame = {
    opened: true,
    onClose,
    title,
    closeOnEscape: !isDirty,
    closeOnClickOutside: !isDirty,
    size: props.size ?? 'md',
  };
  const form = (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit(event);
      }}
    >
      <Stack gap="md">
        {children}
        <ErrorAlert text={!call.isPending && errorText} />
        <Group justify="flex-end" gap="xs">
          {cancel !== null && (
            <Button variant="default" onClick={onClose} data-autofocus={isDanger || undefined}>
              {cancel}
            </Button>
          )}
          <Button
            type="submit"
            loading={call.isPending}
            data-autofocus={props.isQuestion}
            {...(isDanger && { color: 'red' })}
          >
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
  if (isDrawer) {
    return (
      <Drawer {...frame} position="right">
        {form}
      </Drawer>
    );
  }
  return (
    <Modal {...frame} centered>
      {form}
    </Modal>
  );
}
