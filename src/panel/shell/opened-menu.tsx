import { Menu } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';

export type MenuPlace = { target: ReactNode; openAt: RefObject<HTMLElement | null> };

/** The menu of a `LazyMenu`: it is loaded when its button is pressed, so it opens by itself. */
export function OpenedMenu({ target, openAt, width, children }: MenuPlace & { width: number; children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    // The button that was pressed is gone: the menu gives the focus back to this one.
    openAt.current?.focus();
    setOpened(true);
  }, [openAt]);
  return (
    <Menu position="bottom-end" width={width} opened={opened} onChange={setOpened}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
