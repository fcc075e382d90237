import { Textarea, type TextareaProps } from '@mantine/core';
import { useState } from 'react';

type Texts = Pick<TextareaProps, 'label' | 'description' | 'error' | 'maxLength' | 'required'> & {
  /** Says that there is none. */
  missing: string;
};

/** A reason that has to be given before something is done, and is stored with it. */
export function useReason({ missing, error, ...field }: Texts) {
  const [typed, setTyped] = useState('');
  const [isAsked, setAsked] = useState(false);
  const reason = typed.trim();
  return {
    isDirty: typed !== '',
    /** Whether the form was sent, with a reason or without one. */
    isAsked,
    /** Calls back with the reason; where there is none, the field says so. */
    demand(send: (reason: string) => void): void {
      setAsked(true);
      if (reason !== '') send(reason);
    },
    field: (
      <Textarea
        {...field}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={isAsked && reason === '' ? missing : error}
        autosize
        minRows={2}
      />
    ),
  };
}
