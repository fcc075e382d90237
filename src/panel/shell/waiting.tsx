import { SimpleGrid, Skeleton, Stack } from '@mantine/core';

type Props = {
  /** The heights of the parts that come, from above, in pixels. */
  heights: readonly number[];
  /** Beside each other where there is room, instead of one below the other. */
  columns?: boolean;
  gap?: 'xs' | 'sm' | 'md' | 'lg' | 'xl' | number;
};

/** The skeleton of what comes. */
export function Waiting({ heights, columns = false, gap = 'md' }: Props) {
  // biome-ignore lint/suspicious/noArrayIndexKey: shapes that never change.
  const shapes = heights.map((height, index) => <Skeleton key={index} height={height} radius="md" />);
  if (!columns) return <Stack gap={gap}>{shapes}</Stack>;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing={gap}>
      {shapes}
    </SimpleGrid>
  );
}

/** The skeleton of a list's rows. */
export const WaitingRows = ({ count }: { count: number }) => <Waiting gap={1} heights={Array(count).fill(40)} />;
