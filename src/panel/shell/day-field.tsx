import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import classes from './day-field.module.css';
import { Icon } from './icon.tsx';
import { readDay, typedDay } from './read-day.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type'> & {
  /** `2027-01-31`; empty or null: none. */
  value: string | null;
  /** `day` is null where there is none, or the text that was typed is none. */
  onChange: (day: string | null, text: string) => void;
  /** The first and the last day that the calendar offers. */
  min?: string | undefined;
  max?: string | undefined;
  /** Whether it may be before 2000, as a day of birth. */
  isOld?: boolean;
};

/**
 * A day, typed as pages write it or picked in the browser's calendar. The browser's own date field
 * has the order of the browser's language, in which 11/12 may be November.
 */
export function DayField({ value, onChange, min, max, isOld = false, error, ...input }: Props) {
  const t = useTranslations('panel.shell');
  const calendar = useRef<HTMLInputElement>(null);
  // What is being typed, until it is a day and the field is left.
  const [draft, setDraft] = useState<string | null>(null);
  const [isTyping, setTyping] = useState(false);
  const read = (text: string) => readDay(text, { isOld });
  const day = read(value ?? '');
  const shown = draft !== null && (isTyping || day === null) ? draft : day === null ? (value ?? '') : typedDay(day);
  const isNoDay = !isTyping && shown.trim() !== '' && read(shown) === null;
  return (
    <TextInput
      placeholder={t('day.placeholder')}
      autoComplete="off"
      {...input}
      value={shown}
      onChange={({ currentTarget: { value: text } }) => {
        setDraft(text);
        onChange(read(text), text);
      }}
      onFocus={(event) => {
        setTyping(true);
        input.onFocus?.(event);
      }}
      onBlur={(event) => {
        setTyping(false);
        if (read(draft ?? '') !== null || draft?.trim() === '') setDraft(null);
        input.onBlur?.(event);
      }}
      error={error || (isNoDay && t('day.unreadable'))}
      rightSectionPointerEvents="all"
      rightSection={
        <>
          <input
            ref={calendar}
            className={classes.calendar}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            value={day ?? ''}
            min={min}
            max={max}
            onChange={({ currentTarget: { value: picked } }) => {
              setDraft(null);
              onChange(picked || null, picked);
            }}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('day.pick')}
            onClick={() => calendar.current?.showPicker()}
          >
            <Icon of={IconCalendar} size={16} />
          </ActionIcon>
        </>
      }
    />
  );
}
