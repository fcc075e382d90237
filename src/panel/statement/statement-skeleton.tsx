import { Skeleton } from '@mantine/core';
import classes from './statement.module.css';

/** The shape of a statement before it is there. */
export function StatementSkeleton() {
  return (
    <div aria-hidden="true">
      <div className={classes.summary}>
        {[0, 1, 2, 3].map((figure) => (
          <div key={figure}>
            <Skeleton width={88} height={13} my={4} />
            <Skeleton width={128} height={20} />
          </div>
        ))}
      </div>
      <div className={classes.list}>
        {[0, 1, 2, 3, 4, 5, 6].map((row) => (
          <Skeleton key={row} height={16} my={12} mx={16} w="auto" />
        ))}
      </div>
    </div>
  );
}
