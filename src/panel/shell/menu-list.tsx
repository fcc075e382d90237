import { Menu } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Icon, type IconShape } from './icon.tsx';

export type MenuAction = {
  label: string;
  icon: IconShape;
  /** What can't be undone. */
  isDanger?: boolean;
} & ({ onClick: () => void } | { href: string });

type Props = { target: ReactNode; openAt: RefObject<HTMLElement | null>; actions: readonly (MenuAction | false)[] };

/** The menu behind a button. It comes when it is asked for, and so opens by itself. */
export function MenuList({ target, openAt, actions }: Props) {
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    // The button that was pressed is gone; the menu gives the focus back to this one.
    openAt.current?.focus();
    setOpened(true);
  }, [openAt]);
  return (
    <Menu position="bottom-end" width={240} withinPortal opened={opened} onChange={setOpened}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => {
          if (!action) return null;
          const { label, icon, isDanger = false, ...does } = action;
          const props = { leftSection: <Icon of={icon} size={16} />, ...(isDanger && { c: 'var(--tone-bad)' }) };
          return 'href' in does ? (
            <Menu.Item key={label} component="a" href={does.href} target="_blank" rel="noopener noreferrer" {...props}>
              {label}
            </Menu.Item>
          ) : (
            <Menu.Item key={label} onClick={does.onClick} {...props}>
              {label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
