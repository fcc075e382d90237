import type { PeriodLimit } from '#domain/accounts/limits.ts';
import { fillIn } from '#domain/values/fill-in.ts';
import type { Language } from '#domain/values/language.ts';
import en from './texts/en.json' with { type: 'json' };
import ptBr from './texts/pt-BR.json' with { type: 'json' };

type Text = { subject: string; text: string };

/**
 * Every message that we send, by language; `{name}` is replaced by the param of that name. Plain
 * text: it reads the same everywhere, and typed text can't become a link or a picture.
 */
export const MAIL_TEXTS: Record<Language, typeof ptBr> = { 'pt-BR': ptBr, en };

/** Changes to a merchant's security, of which every member is notified. */
export type SecurityChange = keyof typeof ptBr.changes;

/** Changes to who the members are, of which every member is notified. */
export type PeopleChange = keyof typeof ptBr.messages.people_changed;

type AwaitedApproval = { name: string; reais: number; by: string; decideBy: Date; url: string };
type AwaitedAnswer = { name: string; reais: number; answerBy: Date; url: string };

/** `from`: when the change takes or took effect. */
type TermsParams = { name: string; from: Date; url: string };

/** The params of each message; amounts in reais. */
type Params = {
  sign_up_link: { url: string };
  ask_for_invitation: { merchant: string };
  invitation: { merchant: string; url: string };
  people_changed: { name: string; what: PeopleChange; person: string; url: string };
  already_signed_up: { name: string; url: string };
  reset_password: { name: string; url: string };
  security_changed: {
    name: string;
    what: SecurityChange;
    about: string | null;
    by: string | null;
    at: Date;
    ipAddress: string | null;
    url: string;
  };
  terms_changed: TermsParams;
  terms_planned: TermsParams;
  terms_plan_cancelled: TermsParams;
  verification_decided: { name: string; approved: boolean; reason: string; url: string };
  withdrawal_failed: { name: string; reais: number; url: string };
  withdrawal_waits: AwaitedApproval;
  batch_waits: AwaitedApproval & { rows: string };
  dispute_opened: AwaitedAnswer;
  dispute_due_soon: AwaitedAnswer;
  webhook_failing: { name: string; host: string; url: string };
  /** `reason`: absent from notices that were written before an endpoint that fails was disabled. */
  webhook_disabled: { name: string; host: string; reason?: 'gone' | 'failing'; url: string };
  new_device: { name: string; at: Date; ipAddress: string | null; url: string };
  limit_nearly_reached: {
    name: string;
    limit: PeriodLimit;
    usedReais: number;
    limitReais: number;
    endsAt: Date;
    url: string;
  };
  /** `startsAt`: when the day that was reconciled begins. */
  reconciliation_differs: { name: string; startsAt: Date; url: string };
  /** `lines`: notices, one a line. */
  digest: { name: string; lines: string; url: string };
  backup_failed: { dueAt: Date; file: string; reason: string };
  log_archive_failed: { reason: string };
};

export type MailTemplate = keyof Params & keyof typeof ptBr.messages;
export type MailParams<T extends MailTemplate> = Params[T];

/** The message in a reader's language. */
export function mailText<T extends MailTemplate>(template: T, params: MailParams<T>, language: Language): Text {
  const { subject, text } = textOf(template, params, language);
  const values = { ...params, ...DERIVED[template]?.(params as never, language) };
  return { subject: fillIn(subject, values), text: fillIn(text, values) };
}

/** The text of a message; some messages have one for each outcome. */
function textOf<T extends MailTemplate>(template: T, params: MailParams<T>, language: Language): Text {
  const { messages } = MAIL_TEXTS[language];
  if ('what' in params && template === 'people_changed') return messages.people_changed[params.what as PeopleChange];
  if ('approved' in params) return messages.verification_decided[params.approved ? 'approved' : 'rejected'];
  return messages[template as Exclude<MailTemplate, 'people_changed' | 'verification_decided'>];
}

/** The texts that stand for params that are no texts themselves. */
const DERIVED: { [T in MailTemplate]?: (params: Params[T], language: Language) => Record<string, string> } = {
  withdrawal_failed: ({ reais }, language) => ({ amount: amountText(reais, language) }),
  withdrawal_waits: awaitedApproval,
  batch_waits: awaitedApproval,
  terms_changed: fromWhen,
  terms_planned: fromWhen,
  terms_plan_cancelled: fromWhen,
  dispute_opened: awaitedAnswer,
  dispute_due_soon: awaitedAnswer,
  backup_failed: ({ dueAt }, language) => ({ at: timeFormat(language).format(dueAt) }),
  security_changed: (params, language) => ({
    change: MAIL_TEXTS[language].changes[params.what],
    circumstances: circumstances(params, language),
  }),
  webhook_disabled: ({ host, reason = 'gone' }, language) => ({
    cause: fillIn(MAIL_TEXTS[language].disabledBecause[reason], { host }),
  }),
  new_device: ({ at, ipAddress }, language) => ({ circumstances: whenAndWhere({ at, ipAddress }, language) }),
  limit_nearly_reached: ({ limit, usedReais, limitReais, endsAt }, language) => ({
    limitName: MAIL_TEXTS[language].limits[limit],
    used: amountText(usedReais, language),
    limit: amountText(limitReais, language),
    at: timeFormat(language).format(endsAt),
  }),
  reconciliation_differs: ({ startsAt }, language) => ({
    day: new Intl.DateTimeFormat(language, dateFormat(language)).format(startsAt),
  }),
};

const amountText = (reais: number, language: Language) =>
  new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' }).format(reais);

function awaitedApproval({ reais, decideBy }: AwaitedApproval, language: Language): Record<string, string> {
  return amountBy(reais, decideBy, language);
}

function awaitedAnswer({ reais, answerBy }: AwaitedAnswer, language: Language): Record<string, string> {
  return amountBy(reais, answerBy, language);
}

const amountBy = (reais: number, by: Date, language: Language) => ({
  amount: amountText(reais, language),
  at: timeFormat(language).format(by),
});

function fromWhen({ from }: TermsParams, language: Language): Record<string, string> {
  return { from: timeFormat(language).format(from) };
}

/** The lines of a security change: what, who, when and from where, as far as it is known. */
function circumstances({ about, by, at, ipAddress }: Params['security_changed'], language: Language): string {
  const texts = MAIL_TEXTS[language].circumstances;
  const lines = [about && texts.about, texts.by, texts.at, ipAddress && texts.ipAddress];
  const values = { about, by: by ?? texts.operator, at: timeFormat(language).format(at), ipAddress };
  return fillIn(lines.filter(Boolean).join('\n'), values);
}

function whenAndWhere({ at, ipAddress }: { at: Date; ipAddress: string | null }, language: Language): string {
  const texts = MAIL_TEXTS[language].circumstances;
  const lines = [texts.at, ...(ipAddress === null ? [] : [texts.ipAddress])];
  return fillIn(lines.join('\n'), { at: timeFormat(language).format(at), ipAddress });
}

/** English names the month, so that no reader mistakes it for the day. */
const dateFormat = (language: Language) =>
  ({ timeZone: 'America/Sao_Paulo', dateStyle: language === 'en' ? 'medium' : 'short' }) as const;

const timeFormat = (language: Language) =>
  new Intl.DateTimeFormat(language, { ...dateFormat(language), timeStyle: 'short' });
