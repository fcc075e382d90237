import { Button, type ButtonProps, Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '../shell/icon.tsx';
import type { CheckList as CheckListOf } from './check-list.tsx';

// Loaded when somebody opens a filter.
const CheckList = lazyPart(() => import('./check-list.tsx'), 'CheckList') as typeof CheckListOf;

type Props = ButtonProps & { face: ReactNode; isAtEnd?: boolean; content: (close: () => void) => ReactNode };

/** A button that opens a popover beneath it, whose content may be loaded later. */
function PopoverButton({ face, isAtEnd = false, content, ...button }: Props) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      position={isAtEnd ? 'bottom-end' : 'bottom-start'}
      shadow="sm"
      trapFocus
      returnFocus
      opened={opened}
      onChange={setOpened}
    >
      <Popover.Target>
        <Button {...button} onClick={() => setOpened(!opened)}>
          {face}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={null}>{content(() => setOpened(false))}</Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

type FilterProps = { label: string; chosen: string | null; children: (close: () => void) => ReactNode };

/** The button of a filter: its label, or what it is set to. */
export const FilterButton = ({ label, chosen, children }: FilterProps) => (
  <PopoverButton
    face={chosen ?? label}
    content={children}
    size="xs"
    variant={chosen === null ? 'default' : 'light'}
    rightSection={<Icon of={IconChevronDown} size={12} />}
    maw="100%"
  />
);

type ChoiceProps<T extends string> = Parameters<typeof CheckListOf<T>>[0];

/** Several of a set, behind a button that says which are chosen. */
export function ChoiceFilter<T extends string>(props: ChoiceProps<T>) {
  const { label, options, chosen } = props;
  const first = options.find(({ value }) => value === chosen[0])?.label;
  const more = chosen.length > 1 ? ` +${chosen.length - 1}` : '';
  return (
    <FilterButton label={label} chosen={first ? `${label}: ${first}${more}` : null}>
      {() => <CheckList {...props} />}
    </FilterButton>
  );
}

/** Several of a set, behind a button that bears the set's name. */
export const ChoiceMenu = <T extends string>({ icon, ...list }: ChoiceProps<T> & { icon: ReactNode }) => (
  <PopoverButton
    face={list.label}
    content={() => <CheckList {...list} />}
    isAtEnd
    variant="default"
    leftSection={icon}
  />
);
