import { Drawer, type DrawerProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';

type Props = Pick<DrawerProps, 'title' | 'size' | 'onClose' | 'overlayProps' | 'closeButtonProps'> & {
  /** What is open in it; null: nothing. */
  id: string | null;
  children: (id: string) => ReactNode;
};

/** One thing of a list, beside it. */
export function DetailDrawer({ id, children, ...drawer }: Props) {
  // What was open last stays, so that the drawer does not go blank while it slides out.
  const [last, setLast] = useState(id);
  if (id !== null && id !== last) setLast(id);
  return (
    <Drawer position="right" size="lg" {...drawer} opened={id !== null}>
      {last && children(last)}
    </Drawer>
  );
}
