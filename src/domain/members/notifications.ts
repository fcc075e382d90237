/**
 * What a member is notified of by e-mail unless they choose otherwise. What concerns their login is
 * always sent.
 */
export const NOTIFICATIONS = [
  'verification_decided',
  'withdrawal_failed',
  'webhook_failing',
  'dispute_waiting',
] as const;

export type Notification = (typeof NOTIFICATIONS)[number];

/**
 * What a member wants, from what is stored: a name that is absent, or is no yes or no, is wanted.
 */
export const wantedNotifications = (stored: unknown): Record<Notification, boolean> => {
  const choices = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  return Object.fromEntries(NOTIFICATIONS.map((name) => [name, choices[name] !== false])) as Record<
    Notification,
    boolean
  >;
};
