import { Button } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';

type Props = { loading: boolean; variant?: 'default' | 'filled'; children: ReactNode };

/**
 * The button that submits a form of a page that arrives with it. Until its scripts have arrived
 * nothing does: the browser would submit the form itself, and put what was typed, a password too,
 * into the address. A form whose first submit button is disabled isn't submitted by Enter either
 * (HTML, implicit submission).
 */
export function SubmitButton({ loading, variant = 'filled', children }: Props) {
  const isInteractive = useMounted();
  return (
    <>
      {!isInteractive && <button type="submit" disabled hidden />}
      <Button type={isInteractive ? 'submit' : 'button'} loading={loading} variant={variant}>
        {children}
      </Button>
    </>
  );
}
