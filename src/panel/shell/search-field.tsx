import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

/** Typing is over when nothing came for so long. */
const PAUSE_MS = 300;

type Props = Omit<TextInputProps, 'onChange' | 'rightSection'> & {
  /** What is looked for. */
  text: string;
  onChange: (text: string) => void;
  /** The button in it that empties it. */
  clear?: (onClear: () => void) => React.ReactNode;
};

/** Looks for a text once it is typed; `/` leads to it. */
export function SearchField({ text, onChange, clear, ...input }: Props) {
  const [typed, setTyped] = useState(text);
  // Back, or "clear filters", has changed what is looked for; what this field itself has sent is
  // there already.
  const sent = useRef(text);
  useEffect(() => {
    if (text === sent.current) return;
    sent.current = text;
    setTyped(text);
  }, [text]);
  const send = useDebouncedCallback((wanted: string) => {
    if (wanted === sent.current) return;
    sent.current = wanted;
    onChange(wanted);
  }, PAUSE_MS);
  const type = (wanted: string) => {
    setTyped(wanted);
    send(wanted.trim());
  };
  return (
    <TextInput
      size="xs"
      type="search"
      data-search
      {...input}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={typed !== '' && clear?.(() => type(''))}
    />
  );
}
