import type { ComponentProps, MouseEvent } from 'react';

type Props = ComponentProps<'button'> & { 'data-loading'?: boolean };

/**
 * The element of Mantine's buttons. They disable it while they load, and then it would lose the
 * keyboard's focus: this one keeps it, and does nothing when it is pressed.
 */
export function LoadableButton({ type = 'button', disabled, onClick, ...props }: Props) {
  const isLoading = props['data-loading'];
  return (
    <button
      {...props}
      type={type}
      disabled={disabled && !isLoading}
      aria-disabled={disabled}
      onClick={isLoading ? ignore : onClick}
    />
  );
}

/** Enter in a field of a form also presses its button, which would send it again. */
const ignore = (event: MouseEvent) => event.preventDefault();
