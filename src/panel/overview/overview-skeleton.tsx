import { Skeleton, Stack } from '@mantine/core';
import rows from '#panel/shell/row-list.module.css';
import classes from './overview.module.css';

/** The shape of the page before its figures are there. */
export function OverviewSkeleton() {
  return (
    <Stack gap={16} aria-hidden="true">
      <div className={classes.card}>
        <div className={classes.balances}>
          {[36, 28, 28].map((height, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: three shapes that never change.
            <div key={index} className={classes.figure}>
              <Skeleton width={96} height={14} my={5} />
              <Skeleton width="70%" height={height} maw={200} />
            </div>
          ))}
        </div>
      </div>
      <div className={classes.card}>
        <div className={classes.period}>
          <Skeleton width={260} height={28} />
        </div>
        <div className={classes.movement}>
          <div className={classes.figures}>
            {[0, 1, 2, 3].map((figure) => (
              <div key={figure} className={classes.figure}>
                <Skeleton width={80} height={14} my={5} />
                <Skeleton width={140} height={20} />
              </div>
            ))}
          </div>
          <Skeleton height={216} />
        </div>
      </div>
    </Stack>
  );
}

/** Some rows of transactions. */
export function RowsSkeleton() {
  return (
    <div className={rows.list} aria-hidden="true">
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row}>
          <Skeleton height={16} my={12} mx={12} w="auto" />
        </div>
      ))}
    </div>
  );
}
