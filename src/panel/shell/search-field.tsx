import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

/** Typing counts as over after this pause. */
const PAUSE_MS = 300;

type Props = Omit<TextInputProps, 'onChange' | 'rightSection'> & {
  /** The text that is searched for. */
  text: string;
  onChange: (text: string) => void;
  /** Renders the button in the field that empties it. */
  clear?: (onClear: () => void) => React.ReactNode;
};

/** A search field that calls back once typing is over; `/` leads to it. */
export function SearchField({ text, onChange, clear, ...input }: Props) {
  const [typed, setTyped] = useState(text);
  // Back, or "clear filters", changes the text from outside; what this field itself has sent is
  // shown already.
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
