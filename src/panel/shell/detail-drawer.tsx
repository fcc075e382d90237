import { Drawer, type DrawerProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useDialog } from './use-dialog.ts';

type Props = Pick<DrawerProps, 'title' | 'size' | 'onClose' | 'overlayProps' | 'closeButtonProps'> & {
  /** The id of what is open; null: the drawer is closed. */
  id: string | null;
  children: (id: string) => ReactNode;
};

/** A drawer beside a list, with one of its entries. */
export function DetailDrawer({ id, children, ...drawer }: Props) {
  // The last entry stays, so that the drawer does not go blank while it slides out.
  const [last, setLast] = useState(id);
  if (id !== null && id !== last) setLast(id);
  const isTop = useDialog(id !== null);
  return (
    <Drawer position="right" size="lg" {...drawer} opened={id !== null} closeOnEscape={isTop}>
      {last && children(last)}
    </Drawer>
  );
}
