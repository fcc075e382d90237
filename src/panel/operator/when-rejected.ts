/**
 * Option of a mutation: reads again what is shown where it was rejected, because another operator
 * may have changed it.
 */
export const whenRejected = (refresh: () => Promise<unknown>) => ({
  onSettled(_: unknown, error: unknown) {
    if (error) void refresh();
  },
});
