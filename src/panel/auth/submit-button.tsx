import { Button } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { ReactNode } from 'react';

type Props = { loading: boolean; variant?: 'default' | 'filled'; children: ReactNode };

/**
 * The button that submits a form which the server has drawn. Until the scripts of the page have
 * arrived nothing submits it: the browser would do so itself, and lose what was typed. A form whose
 * first submit button is disabled isn't submitted by Enter either (HTML, implicit submission).
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
