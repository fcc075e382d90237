import {
  ModalBase,
  ModalBaseBody,
  ModalBaseCloseButton,
  ModalBaseContent,
  ModalBaseHeader,
  ModalBaseOverlay,
  ModalBaseTitle,
} from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import classes from './detail-drawer.module.css';
import { useDialog } from './use-dialog.ts';

type Props = {
  /** The id of what is open; null: the drawer is closed. */
  id: string | null;
  title: string;
  onClose: () => void;
  /** The name of the button that closes it, where the usual one says too little. */
  closeLabel?: string;
  /** In pixels. */
  width?: number;
  children: (id: string) => ReactNode;
};

/**
 * A drawer beside a list, with one of its entries. Made of the parts of Mantine's own, because that
 * one loads a scroll area that it does not use (25 kB of JavaScript).
 */
export function DetailDrawer({ id, title, onClose, closeLabel, width = 620, children }: Props) {
  const t = useTranslations('panel.shell');
  // The last entry stays, so that the drawer does not go blank while it slides out.
  const [last, setLast] = useState(id);
  if (id !== null && id !== last) setLast(id);
  const isTop = useDialog(id !== null);
  return (
    <ModalBase
      opened={id !== null}
      onClose={onClose}
      closeOnEscape={isTop}
      closeOnClickOutside
      lockScroll
      trapFocus
      returnFocus
      withinPortal
      transitionProps={{ transition: 'slide-left' }}
    >
      <ModalBaseOverlay backgroundOpacity={0.25} />
      <ModalBaseContent
        radius={0}
        innerProps={{ className: classes.inner }}
        className={classes.content}
        style={{ '--width': `${width}px` }}
      >
        <ModalBaseHeader>
          <ModalBaseTitle className={classes.title}>{title}</ModalBaseTitle>
          <ModalBaseCloseButton aria-label={closeLabel ?? t('close')} />
        </ModalBaseHeader>
        <ModalBaseBody>{last && children(last)}</ModalBaseBody>
      </ModalBaseContent>
    </ModalBase>
  );
}
