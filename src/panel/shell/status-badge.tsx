import { Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconMinus, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Icon, type IconShape } from './icons.tsx';
import classes from './status-badge.module.css';

export type Tone = 'ok' | 'wait' | 'bad' | 'neutral' | 'warn';

const ICONS: Record<Tone, IconShape> = {
  ok: IconCheck,
  wait: IconClock,
  bad: IconX,
  neutral: IconMinus,
  warn: IconAlertTriangle,
};

/**
 * A state as an icon, a word and a colour; `hint` says what happens next, and when: to a mouse and a finger beside it, to a screen
 * reader after it. It does nothing, so the keyboard does not stop at it.
 */
export function StatusBadge(props: { tone: Tone; label: string; icon?: IconShape; hint?: string | undefined }) {
  const { tone, label, icon = ICONS[tone], hint } = props;
  const badge = useRef<HTMLSpanElement>(null);
  // A list has a hundred of these: what shows the hint is made for the one that is pointed at.
  const [pointedAt, setPointedAt] = useState(false);
  return (
    <>
      <span
        ref={badge}
        className={`${classes.badge} ${classes.tone}`}
        data-tone={tone}
        onPointerEnter={hint ? () => setPointedAt(true) : undefined}
      >
        <Icon of={icon} size={14} />
        {label}
      </span>
      {hint && pointedAt && (
        <Tooltip
          target={badge}
          defaultOpened
          label={hint}
          events={{ hover: true, focus: false, touch: true }}
          withArrow
          multiline
          maw={280}
        />
      )}
      {hint && <span className="visually-hidden"> {hint}</span>}
    </>
  );
}
