import { Button, Popover } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '#panel/connection/lazy-part.ts';
import { Icon } from '../shell/icon.tsx';
import type { CheckList as CheckListOf } from './check-list.tsx';

// The boxes are needed by who filters by them.
const CheckList = lazyPart(() => import('./check-list.tsx'), 'CheckList') as typeof CheckListOf;

/** Several of a set, behind a button that says which are chosen. */
export function ChoiceFilter<T extends string>(props: {
  label: string;
  options: readonly { value: T; label: string }[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}) {
  const { label, options, chosen } = props;
  const first = options.find(({ value }) => value === chosen[0])?.label;
  const more = chosen.length > 1 ? ` +${chosen.length - 1}` : '';
  return (
    <Popover position="bottom-start" shadow="sm" trapFocus returnFocus>
      <Popover.Target>
        <FilterButton active={chosen.length > 0}>{first ? `${label}: ${first}${more}` : label}</FilterButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Suspense fallback={null}>
          <CheckList {...props} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The face of a filter: what it is about, and what it is set to. */
export function FilterButton({
  active,
  ...props
}: React.ComponentProps<typeof Button<'button'>> & { active: boolean }) {
  return (
    <Button
      {...props}
      size="xs"
      variant={active ? 'light' : 'default'}
      rightSection={<Icon of={IconChevronDown} size={12} />}
      maw="100%"
    />
  );
}
