import { Button, type ButtonProps } from '@mantine/core';
import { keepFocus } from './use-dialog.ts';

type Props<Input> = ButtonProps & {
  call: { isPending: boolean; mutate: (input: Input) => void };
  input: NoInfer<Input>;
  label: string;
  'aria-label'?: string;
};

/** A small button that sends a call, and waits for its answer. */
export const CallButton = <Input,>({ call, input, label, ...button }: Props<Input>) => (
  <Button
    size="xs"
    variant="default"
    loading={call.isPending}
    onClick={() => {
      keepFocus();
      call.mutate(input);
    }}
    {...button}
  >
    {label}
  </Button>
);
