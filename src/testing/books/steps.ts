import fc from 'fast-check';
import type { DisputeMagic } from '#sandbox/pix/magic.ts';
import type { Loss } from '../psp-under-test.ts';

type Ending = 'done' | 'refused' | 'rejected';
/** What members and operators do with an account and its payouts. */
export type ManagedStep =
  | { do: 'threshold'; centavos: bigint | null }
  | { do: 'approval'; ago: number; decision: 'approve' | 'decline' }
  | { do: 'suspension'; on: boolean }
  | { do: 'fees'; fixedCentavos: bigint };
/** What happens at the PSP, on the way to it, and to the service. */
export type Step =
  | { do: 'charge'; centavos: bigint; split?: boolean }
  | {
      do: 'pay';
      ago: number;
      another: boolean;
      act: 'none' | 'refund_in_app' | 'med_return' | 'pay_key' | 'send_in_app';
    }
  | { do: 'refund'; ago: number; parts: number; ends: Ending }
  /** `times`: so many requests of one idempotency key come at once. */
  | { do: 'withdraw'; centavos: bigint; ends: Ending; times?: number }
  | { do: 'schedule'; centavos: bigint; reserve: boolean }
  | { do: 'cancel payout'; ago: number }
  | ManagedStep
  | { do: 'decide'; picks: number[] }
  | { do: 'at once'; steps: Step[] }
  | { do: 'cancel'; ago: number }
  | { do: 'coins in'; centavos: bigint; share: string; act: 'none' | 'pay_elsewhere' | 'send_elsewhere' }
  | { do: 'coins out'; ends: 'done' | 'refused' }
  | { do: 'return at PSP'; ago: number; parts: number; nature: 'ORIGINAL' | 'MED_FRAUDE' }
  | { do: 'contest'; ago: number; outcome: DisputeMagic }
  | { do: 'answer'; ago: number; answer: 'agree' | 'contest' }
  | { do: 'callbacks'; mode: 'once' | 'twice' | 'never' | 'delayed' | 'forged' | 'reordered' | 'failing' }
  | { do: 'lose'; losses: Loss[] }
  | { do: 'silence'; mode: 'ok' | 'error' }
  | { do: 'wait'; seconds: number }
  | { do: 'work' }
  | { do: 'die'; statements: number }
  | { do: 'restart' };

const MANAGED: readonly Step['do'][] = ['threshold', 'approval', 'suspension', 'fees'];
export const isManaged = (step: Step): step is ManagedStep => MANAGED.includes(step.do);

/** Small amounts, so that balances run out; none with magic cents. */
const anAmount = fc.integer({ min: 1, max: 8 }).map((tens) => BigInt(tens) * 1_000n + 70n);
const ago = fc.nat({ max: 3 });
const parts = fc.integer({ min: 1, max: 3 });
const ends = fc.constantFrom<Ending>('done', 'done', 'refused', 'rejected');
const of = <D extends Step['do']>(
  name: D,
  fields: { [K in keyof Omit<Extract<Step, { do: D }>, 'do'>]: fc.Arbitrary<Extract<Step, { do: D }>[K]> },
) => fc.record({ do: fc.constant(name), ...fields }) as unknown as fc.Arbitrary<Step>;

const oneStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: of('charge', { centavos: anAmount, split: fc.boolean() }) },
  {
    weight: 7,
    arbitrary: of('pay', {
      ago,
      another: fc.boolean(),
      act: fc.constantFrom('none', 'none', 'none', 'refund_in_app', 'med_return', 'pay_key', 'send_in_app'),
    }),
  },
  { weight: 2, arbitrary: of('refund', { ago, parts, ends }) },
  { weight: 4, arbitrary: of('withdraw', { centavos: anAmount, ends, times: fc.constantFrom(1, 1, 3) }) },
  { weight: 1, arbitrary: of('schedule', { centavos: anAmount, reserve: fc.boolean() }) },
  { weight: 1, arbitrary: of('cancel payout', { ago }) },
  { weight: 1, arbitrary: of('threshold', { centavos: fc.constantFrom(null, 0n, 30_00n) }) },
  { weight: 3, arbitrary: of('approval', { ago, decision: fc.constantFrom('approve', 'approve', 'decline') }) },
  { weight: 2, arbitrary: of('suspension', { on: fc.constantFrom(false, false, true) }) },
  { weight: 1, arbitrary: of('fees', { fixedCentavos: fc.constantFrom(0n, 50n) }) },
  { weight: 2, arbitrary: of('decide', { picks: fc.array(fc.nat({ max: 11 }), { minLength: 4, maxLength: 8 }) }) },
  { weight: 1, arbitrary: of('cancel', { ago }) },
  {
    weight: 2,
    arbitrary: of('coins in', {
      centavos: anAmount,
      share: fc.constantFrom('1', '1', '0.5', '2'),
      act: fc.constantFrom('none', 'none', 'pay_elsewhere', 'send_elsewhere'),
    }),
  },
  { weight: 1, arbitrary: of('coins out', { ends: fc.constantFrom('done', 'refused') }) },
  { weight: 3, arbitrary: of('return at PSP', { ago, parts, nature: fc.constantFrom('ORIGINAL', 'MED_FRAUDE') }) },
  {
    weight: 3,
    arbitrary: of('contest', {
      ago,
      outcome: fc.constantFrom<DisputeMagic>('contested', 'contested', 'lost', 'lost_in_part', 'cancelled', 'returned'),
    }),
  },
  { weight: 2, arbitrary: of('answer', { ago, answer: fc.constantFrom('agree', 'contest') }) },
  {
    weight: 2,
    arbitrary: of('callbacks', {
      mode: fc.constantFrom('once', 'twice', 'never', 'delayed', 'forged', 'reordered', 'failing'),
    }),
  },
  {
    weight: 2,
    arbitrary: of('lose', {
      losses: fc.array(fc.constantFrom<Loss>('request', 'answer'), { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: of('silence', { mode: fc.constantFrom('ok', 'error') }) },
  { weight: 5, arbitrary: of('wait', { seconds: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.nat({ max: 7_200 })) }) },
  { weight: 6, arbitrary: of('work', {}) },
  { weight: 4, arbitrary: of('die', { statements: fc.nat({ max: 40 }) }) },
  { weight: 1, arbitrary: of('restart', {}) },
);

/**
 * Several things beside a worker. What stops the service or moves the clock happens by itself.
 */
const atOnce: fc.Arbitrary<Step> = fc
  .array(
    oneStep.filter((step) => step.do !== 'restart' && step.do !== 'wait'),
    { minLength: 1, maxLength: 3 },
  )
  .map((steps): Step => ({ do: 'at once', steps: [...steps, { do: 'work' }] }));
const someStep = fc.oneof({ weight: 5, arbitrary: oneStep }, { weight: 1, arbitrary: atOnce });

/** Money comes in first, so that there is some to go wrong with. */
export const someSteps: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 5, arbitrary: someStep.map((step) => [step]) },
  {
    weight: 1,
    arbitrary: anAmount.map((centavos): Step[] => [
      { do: 'charge', centavos },
      { do: 'pay', ago: 0, another: false, act: 'none' },
      { do: 'work' },
    ]),
  },
  {
    // And money goes back once it is spent.
    weight: 1,
    arbitrary: anAmount.map((centavos): Step[] => [
      { do: 'charge', centavos },
      { do: 'pay', ago: 0, another: false, act: 'none' },
      { do: 'work' },
      { do: 'withdraw', centavos, ends: 'done' },
      { do: 'return at PSP', ago: 0, parts: 3, nature: 'MED_FRAUDE' },
    ]),
  },
);

/** Each kind of failure once, so that no run misses one. */
export const EXAMPLE: Step[][] = [
  [
    { do: 'charge', centavos: 50_70n },
    { do: 'pay', ago: 0, another: false, act: 'none' },
    { do: 'work' },
    { do: 'withdraw', centavos: 50_70n, ends: 'done' },
    { do: 'return at PSP', ago: 0, parts: 3, nature: 'MED_FRAUDE' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'charge', centavos: 20_70n },
    { do: 'pay', ago: 0, another: false, act: 'send_in_app' },
    { do: 'pay', ago: 0, another: true, act: 'pay_key' },
    { do: 'die', statements: 0 },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'charge', centavos: 30_70n },
    { do: 'pay', ago: 0, another: false, act: 'none' },
    { do: 'work' },
    { do: 'contest', ago: 0, outcome: 'contested' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'lose', losses: ['answer'] },
    { do: 'answer', ago: 0, answer: 'contest' },
    { do: 'work' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'contest', ago: 0, outcome: 'lost_in_part' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'charge', centavos: 40_70n },
    { do: 'pay', ago: 0, another: false, act: 'none' },
    { do: 'work' },
    { do: 'refund', ago: 0, parts: 2, ends: 'done' },
    { do: 'return at PSP', ago: 0, parts: 3, nature: 'MED_FRAUDE' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'wait', seconds: 700 },
    { do: 'work' },
    { do: 'coins in', centavos: 80_70n, share: '2', act: 'send_elsewhere' },
    { do: 'work' },
    { do: 'lose', losses: ['answer'] },
    { do: 'coins out', ends: 'done' },
    { do: 'work' },
    { do: 'fees', fixedCentavos: 50n },
    { do: 'charge', centavos: 80_70n, split: true },
    { do: 'pay', ago: 0, another: false, act: 'none' },
    { do: 'work' },
    { do: 'schedule', centavos: 10_70n, reserve: true },
    { do: 'threshold', centavos: 0n },
    { do: 'withdraw', centavos: 10_70n, ends: 'done', times: 3 },
    {
      do: 'at once',
      steps: [
        { do: 'approval', ago: 0, decision: 'approve' },
        { do: 'approval', ago: 0, decision: 'approve' },
        { do: 'work' },
        { do: 'work' },
      ],
    },
    { do: 'withdraw', centavos: 10_70n, ends: 'done' },
    {
      do: 'at once',
      steps: [
        { do: 'approval', ago: 0, decision: 'decline' },
        { do: 'refund', ago: 0, parts: 2, ends: 'done' },
        { do: 'return at PSP', ago: 0, parts: 1, nature: 'MED_FRAUDE' },
        { do: 'work' },
      ],
    },
  ],
];
