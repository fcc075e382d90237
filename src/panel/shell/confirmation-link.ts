import type { Operation, TRPCLink } from '@trpc/client';
import type { AnyRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { reasonOf } from './call-error.ts';

/**
 * Makes a call that requires a fresh second factor wait for it, and makes the call again, once: no
 * page has to know which calls do. Where `ask` resolves to false, the page gets the rejection.
 */
export const confirmationLink =
  <Router extends AnyRouter>(ask: (op: Operation) => Promise<boolean>): TRPCLink<Router> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let asked = false;
      let subscription: { unsubscribe(): void } | undefined;
      const call = () => {
        subscription = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            if (asked || reasonOf(error) !== 'confirmation_required') return observer.error(error);
            asked = true;
            ask(op).then(
              (confirmed) => (confirmed ? call() : observer.error(error)),
              // A dialog that failed confirmed nothing: the page gets the rejection instead of
              // waiting.
              () => observer.error(error),
            );
          },
        });
      };
      call();
      return () => subscription?.unsubscribe();
    });
