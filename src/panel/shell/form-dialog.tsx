import { Button, Drawer, Group, Modal, type ModalProps, Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { FormEvent, ReactNode } from 'react';
import { fieldIssues, reasonOf, useErrorText } from './call-error.ts';
import { ErrorAlert } from './error-alert.tsx';
import { useDialog } from './use-dialog.ts';

type Props = {
  title: string;
  children: ReactNode;
  submit: string;
  /** The text of the button that cancels; null: there is none. */
  cancel?: string | null;
  /** The call that the form sends. */
  call: { isPending: boolean; error: unknown };
  /** Shown in place of the error's own text, where the form says it better. */
  errorText?: ReactNode;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  /** It can't be undone: the focus is on cancel, so that Enter alone does not send it. */
  isDanger?: boolean;
  /** There is nothing to type: the focus is on the button that sends it. */
  isQuestion?: boolean;
  /** Opens at the side, for a form with many fields. */
  isDrawer?: boolean;
  /** Something was typed: Escape and a click outside do not close it. */
  isDirty?: boolean;
  size?: ModalProps['size'];
};

/** The dialog of every form: its fields, its errors, and the buttons that send and cancel it. */
export function FormDialog(props: Props) {
  const { title, children, submit, call, onClose, isDanger = false, isDrawer = false, isDirty = false } = props;
  const t = useTranslations('panel.shell.confirm');
  const { cancel = t('cancel') } = props;
  const textOf = useErrorText();
  const isTop = useDialog();
  // A member who cancelled the second factor knows why nothing happened, and a field shows its own
  // issue.
  const isSaid = reasonOf(call.error) === 'confirmation_required' || Object.keys(fieldIssues(call.error)).length > 0;
  const errorText = props.errorText || (Boolean(call.error) && !isSaid && textOf(call.error));
  const frame = {
    opened: true,
    onClose,
    title,
    closeOnEscape: isTop && !isDirty,
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
            // The second press of a double click comes before the button is rendered as busy.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
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
