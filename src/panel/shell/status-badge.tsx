import { IconAlertTriangle, IconCheck, IconClock, IconMinus, IconX } from '@tabler/icons-react';
import { Icon, type IconShape } from './icon.tsx';
import classes from './status-badge.module.css';
import { useHint } from './use-hint.tsx';

export type Tone = 'ok' | 'wait' | 'bad' | 'neutral' | 'warn';

const ICONS: Record<Tone, IconShape> = {
  ok: IconCheck,
  wait: IconClock,
  bad: IconX,
  neutral: IconMinus,
  warn: IconAlertTriangle,
};

/**
 * A state as an icon, a word and a colour. `hint` says what happens next, and when: in a tooltip
 * for mouse and touch, in hidden text for screen readers. It has no action, so the keyboard does
 * not stop at it.
 */
export function StatusBadge(props: { tone: Tone; label: string; icon?: IconShape; hint?: string | undefined }) {
  const { tone, label, icon = ICONS[tone], hint } = props;
  const shown = useHint<HTMLSpanElement>(hint);
  return (
    <>
      <span {...shown.props} className={`${classes.badge} ${classes.tone}`} data-tone={tone}>
        <Icon of={icon} size={14} />
        <span className={classes.word}>{label}</span>
      </span>
      {shown.hint}
      {hint && <span className="visually-hidden"> {hint}</span>}
    </>
  );
}
