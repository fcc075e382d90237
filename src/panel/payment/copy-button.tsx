import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'next-intl';
import type { RefObject } from 'react';
import { ActionButton } from '#panel/action-button.tsx';
import { Icon } from '../shell/icon.tsx';
import classes from './payment-page.module.css';
import { useCopy } from './use-copy.ts';

type Props = {
  /** The text that is copied; null while it is not there yet. */
  text: string | null;
  /** The element that shows the text. */
  shown: RefObject<HTMLElement | null>;
  label: string;
  /**
   * For screen readers once it is copied; for everybody when the clipboard is closed to us
   * (`selected`).
   */
  announcements: { copied: string; selected: string };
  quiet?: boolean;
};

/** Copies a text and says so, on the button and to screen readers. */
export function CopyButton({ text, shown, label, announcements, quiet = false }: Props) {
  const t = useTranslations('pay');
  const { outcome, copy } = useCopy();
  const copied = outcome === 'copied';
  return (
    <>
      <ActionButton
        data-needs-script
        quiet={quiet}
        disabled={text === null}
        onClick={() => copy(text ?? '', shown.current)}
      >
        {copied ? <Icon of={IconCheck} size={20} /> : <Icon of={IconCopy} size={20} />}
        {copied ? t('copied') : label}
      </ActionButton>
      <p className={classes.copyNote} aria-live="polite" data-shown={outcome === 'selected'}>
        {copied && <span className="visually-hidden">{announcements.copied}</span>}
        {outcome === 'selected' && announcements.selected}
      </p>
    </>
  );
}
