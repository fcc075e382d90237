import { Popover, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconInfoCircle } from '@tabler/icons-react';
import type { FocusEvent, ReactNode } from 'react';
import { TextLink } from '#panel/shell/links.tsx';
import { Icon } from '../shell/icon.tsx';
import own from './figure.module.css';
import classes from './overview.module.css';

/** Classes for where a number stands, and for how it is set. */
const KINDS = {
  figure: [classes.figure, classes.value],
  balance: [classes.figure, classes.balance],
  received: [classes.received, classes.withChange],
} as const;

/** Above the name, so that the number stays in sight, and moved to the side where a phone ends. */
const PLACE = {
  position: 'top-start',
  offset: 0,
  width: 300,
  shadow: 'sm',
  withinPortal: false,
  middlewares: { flip: { crossAxis: false }, shift: { padding: 8 } },
} as const;

type Props = {
  kind?: keyof typeof KINDS;
  name: string;
  /** The formula with its figures, one text a line. */
  says: readonly string[];
  /** The page behind it. */
  link?: { href: string; text: string };
  children: ReactNode;
};

/**
 * A number under its name; the name explains it on hover, focus or touch. Not a tooltip, because
 * the link in it has to be reached with the keyboard.
 */
export function Figure({ kind = 'figure', name, says, link, children }: Props) {
  const [opened, { open, close, set }] = useDisclosure(false);
  const leave = (event: FocusEvent<HTMLElement>) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };
  const [outer, inner] = KINDS[kind];
  return (
    <div className={outer}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same; this only lets the pointer reach the link. */}
      <span className={own.explained} onMouseEnter={open} onMouseLeave={close} onFocus={open} onBlur={leave}>
        <Popover opened={opened} onChange={set} {...PLACE}>
          <Popover.Target>
            <UnstyledButton className={own.name} onClick={open}>
              {name} <Icon of={IconInfoCircle} size={14} />
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown className={own.text}>
            {says.map((text) => (
              <p key={text}>{text}</p>
            ))}
            {link && <TextLink href={link.href} display="block" mt={6} label={link.text} />}
          </Popover.Dropdown>
        </Popover>
      </span>
      <div className={inner}>{children}</div>
    </div>
  );
}
