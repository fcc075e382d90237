import { z } from 'zod';
import {
  IF_MISSED,
  isDate,
  REPEAT_COUNT_MAX,
  REPEAT_COUNT_MIN,
  REPEAT_EVERY,
  type Repeat,
} from '#domain/withdrawals/payout-schedule.ts';
import { optional, parsed } from '../codecs.ts';
import { choiceOf, issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';

const dateInput = parsed(
  z.string({ error: issue('not_text') }).meta({ format: 'date' }),
  (text) => (isDate(text) ? text : null),
  String,
  'not_calendar_date',
);

const COUNT_ISSUE = issue('not_integer', { min: REPEAT_COUNT_MIN, max: REPEAT_COUNT_MAX });
const countInput = z
  .int({ error: COUNT_ISSUE })
  .min(REPEAT_COUNT_MIN, { error: COUNT_ISSUE })
  .max(REPEAT_COUNT_MAX, { error: COUNT_ISSUE });

const repeatInput = named(
  'WithdrawalRepeat',
  z.object(
    {
      every: named(
        'RepeatEvery',
        z.enum(REPEAT_EVERY, { error: issue('not_one_of', choiceOf(REPEAT_EVERY)) }),
      ).describe('Um mês tem o mesmo dia, ou o último quando é mais curto: 31/01, 28/02, 31/03.'),
      count: optional(countInput).describe('Quantos saques ao todo; este ou until.'),
      until: optional(dateInput).describe('Até quando, inclusive; este ou count.'),
    },
    { error: issue('not_repeat') },
  ),
)
  .check(({ value, issues }) => {
    if ((value.count === null) !== (value.until === null)) return;
    issues.push({ code: 'custom', message: issue('not_repeat'), path: ['count'], input: value });
  })
  .transform((repeat) => repeat as Repeat);

/** The fields that only a scheduled PIX withdrawal has. */
export const SCHEDULE_FIELDS = {
  scheduledFor: optional(dateInput).describe(
    'Data em que o saque começa, às 8h de São Paulo: de amanhã até um ano; sem ela, é enviado já.',
  ),
  repeat: optional(repeatInput).describe('Repete o saque, no máximo por dez anos; só com scheduledFor.'),
  reserve: optional(z.boolean({ error: issue('not_yes_or_no') })).describe(
    'true: valor e tarifa ficam bloqueados desde já; senão, são bloqueados quando o saque começa. Só com scheduledFor.',
  ),
  ifMissed: optional(
    named('IfMissed', z.enum(IF_MISSED, { error: issue('not_one_of', choiceOf(IF_MISSED)) })),
  ).describe(
    'O que acontece quando o serviço não esteve no ar no dia: fail (padrão), o saque falha; run, começa até o fim do dia seguinte. Só com scheduledFor.',
  ),
};

type ScheduleFields = z.output<z.ZodObject<typeof SCHEDULE_FIELDS>>;

/** A check of the whole input: the other fields of a schedule need its date. */
export function checkSchedule({ value, issues }: z.core.ParsePayload<ScheduleFields>): void {
  if (value.scheduledFor !== null || issues.some(({ path }) => path?.[0] === 'scheduledFor')) return;
  const field = (['repeat', 'reserve', 'ifMissed'] as const).find((name) => value[name] !== null);
  if (!field) return;
  const message = issue('required_with', { field });
  issues.push({ code: 'custom', message, path: ['scheduledFor'], input: value.scheduledFor });
}

/** The schedule; null: the withdrawal is sent at once. */
export const readSchedule = ({ scheduledFor, repeat, reserve, ifMissed }: ScheduleFields) =>
  scheduledFor === null
    ? null
    : { firstOn: scheduledFor, repeat, reserve: reserve ?? false, ifMissed: ifMissed ?? ('fail' as const) };
