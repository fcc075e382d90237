'use client';

import { Tooltip } from '@mantine/core';
import { Icon, type IconName } from './icons.tsx';
import classes from './status-badge.module.css';

export type Tone = 'ok' | 'wait' | 'bad' | 'neutral' | 'warn';

const ICONS: Record<Tone, IconName> = { ok: 'check', wait: 'clock', bad: 'cross', neutral: 'dash', warn: 'warning' };

/**
 * A state as an icon, a word and a colour; `hint` says what happens next, and when: to a mouse and a finger beside it, to a screen
 * reader after it. It does nothing, so the keyboard does not stop at it.
 */
export function StatusBadge(props: { tone: Tone; label: string; icon?: IconName; hint?: string | undefined }) {
  const { tone, label, icon = ICONS[tone], hint } = props;
  const badge = (
    <span className={`${classes.badge} ${classes.tone}`} data-tone={tone}>
      <Icon name={icon} size={14} />
      {label}
    </span>
  );
  if (!hint) return badge;
  return (
    <>
      <Tooltip label={hint} events={{ hover: true, focus: false, touch: true }} withArrow multiline maw={280}>
        {badge}
      </Tooltip>
      <span className="visually-hidden"> {hint}</span>
    </>
  );
}
