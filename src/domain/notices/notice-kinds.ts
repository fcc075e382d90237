/** The rules of a kind of notice; see NOTICE_KINDS. */
export type NoticeRule = {
  /** It is about who gets in, or about what moves money or protects it. */
  isSecurity: boolean;
  /** A member may turn it off, in the panel and by e-mail. */
  isOptional: boolean;
  /** When its e-mail goes out: at once, or with the others in the next day's digest. */
  mail: 'now' | 'digest';
};

const security = { isSecurity: true, isOptional: false, mail: 'now' } as const;
/**
 * Notices of agreements can't be turned off, so that no member can say that they were not notified.
 */
const agreement = { isSecurity: false, isOptional: false, mail: 'now' } as const;
const urgent = { isSecurity: false, isOptional: true, mail: 'now' } as const;

/**
 * Every kind of notice: the only place that says what a member is notified of, and how. Each has
 * the name of its e-mail's text. For a new one the compiler demands the rest: its text in both
 * languages, its page, its switch.
 */
export const NOTICE_KINDS = {
  security_changed: security,
  people_changed: security,
  new_device: security,
  terms_changed: agreement,
  terms_planned: agreement,
  terms_plan_cancelled: { ...agreement, mail: 'digest' },
  verification_decided: urgent,
  withdrawal_failed: urgent,
  withdrawal_waits: urgent,
  batch_waits: urgent,
  webhook_failing: urgent,
  webhook_disabled: urgent,
  limit_nearly_reached: urgent,
  dispute_opened: urgent,
  dispute_due_soon: urgent,
  // Compared after midnight: it is read in the morning.
  reconciliation_differs: { ...urgent, mail: 'digest' },
} as const satisfies Record<string, NoticeRule>;

export type NoticeKind = keyof typeof NOTICE_KINDS;

export type OptionalNotice = {
  [K in NoticeKind]: (typeof NOTICE_KINDS)[K]['isOptional'] extends true ? K : never;
}[NoticeKind];

const kinds = Object.keys(NOTICE_KINDS) as NoticeKind[];

/** The notices that a member may turn off, in the order in which they are shown. */
export const OPTIONAL_NOTICES = kinds.filter((kind) => NOTICE_KINDS[kind].isOptional) as readonly OptionalNotice[];

/** The notices whose e-mail goes out in the digest. */
export const DIGEST_KINDS: readonly NoticeKind[] = kinds.filter((kind) => NOTICE_KINDS[kind].mail === 'digest');

/**
 * Returns which optional notices a member wants, from what is stored: one without a stored yes or
 * no is wanted.
 */
export const wantedNotices = (stored: unknown): Record<OptionalNotice, boolean> => {
  const choices = typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
  return Object.fromEntries(OPTIONAL_NOTICES.map((kind) => [kind, choices[kind] !== false])) as Record<
    OptionalNotice,
    boolean
  >;
};

/**
 * Returns whether a member with these stored choices gets a notice; one that is not optional is
 * always sent.
 */
export function wantsNotice(stored: unknown, kind: NoticeKind): boolean {
  const wanted: Partial<Record<NoticeKind, boolean>> = wantedNotices(stored);
  return wanted[kind] ?? true;
}
