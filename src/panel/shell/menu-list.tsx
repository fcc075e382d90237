import { Menu } from '@mantine/core';
import { Icon, type IconShape } from './icon.tsx';
import { type MenuPlace, OpenedMenu } from './opened-menu.tsx';

/** `isDanger`: it can't be undone. A link opens in another tab. */
export type MenuAction = { label: string; icon: IconShape; isDanger?: boolean } & (
  | { onClick: () => void }
  | { href: string }
);

type Props = MenuPlace & { actions: readonly (MenuAction | false)[] };

/** The menu behind a `MoreMenu`. */
export const MenuList = ({ actions, ...place }: Props) => (
  <OpenedMenu width={240} {...place}>
    {actions.map((action) => {
      if (!action) return null;
      const { label, icon, isDanger = false, ...does } = action;
      return (
        <Menu.Item
          key={label}
          leftSection={<Icon of={icon} size={16} />}
          {...(isDanger && { c: 'var(--tone-bad)' })}
          {...('href' in does && { component: 'a', target: '_blank', rel: 'noopener noreferrer' })}
          {...does}
        >
          {label}
        </Menu.Item>
      );
    })}
  </OpenedMenu>
);
