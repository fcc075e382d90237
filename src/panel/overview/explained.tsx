import { Popover, UnstyledButton } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FocusEvent, type ReactNode, useState } from 'react';
import { TextLink } from '#panel/shell/links.tsx';
import { Icon } from '../shell/icon.tsx';
import classes from './explained.module.css';

/**
 * The name of a number, which explains it on hover, focus or touch: the formula with its figures,
 * and the page behind it. Not a tooltip, because the link in it has to be reached with the
 * keyboard.
 */
export function Explained(props: { name: string; children: ReactNode; link?: { href: string; text: string } }) {
  const { name, children, link } = props;
  const [open, setOpen] = useState(false);
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same; this only lets the pointer reach the link.
    <span
      className={classes.explained}
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={() => setOpen(false)}
      onFocus={() => setOpen(true)}
      onBlur={leave}
    >
      <Popover opened={open} onChange={setOpen} position="right-start" width={300} withinPortal={false} shadow="sm">
        <Popover.Target>
          <UnstyledButton className={classes.name} onClick={() => setOpen(true)}>
            {name} <Icon of={IconInfoCircle} size={14} />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.text}>
          {children}
          {link && <TextLink href={link.href} display="block" mt={6} label={link.text} />}
        </Popover.Dropdown>
      </Popover>
    </span>
  );
}
