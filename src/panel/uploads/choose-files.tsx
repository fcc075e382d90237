import { Button, type ButtonProps, FileButton } from '@mantine/core';
import { type ComponentProps, useRef } from 'react';

type Props = ButtonProps &
  Pick<ComponentProps<'button'>, 'id' | 'aria-label' | 'aria-describedby'> & {
    label: string;
    accept: string;
    isMultiple?: boolean;
    onChoose: (files: readonly File[]) => void;
  };

/** Chooses files; the same one may be chosen again once it has been corrected. */
export function ChooseFiles({ label, accept, isMultiple = false, onChoose, ...button }: Props) {
  const reset = useRef<() => void>(null);
  const choose = (chosen: File[] | File | null) => {
    if (chosen === null) return;
    reset.current?.();
    onChoose([chosen].flat());
  };
  return (
    <FileButton onChange={choose} accept={accept} multiple={isMultiple} resetRef={reset}>
      {(props) => (
        <Button variant="default" {...props} {...button}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}
