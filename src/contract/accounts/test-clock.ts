import { z } from 'zod';
import { parseDuration } from '#domain/accounts/test-clock.ts';
import { parsed } from '../codecs.ts';
import { instantOutput } from '../fields.ts';
import { issue } from '../issues/issue-message.ts';
import { named } from '../named.ts';

/** The time of a test account, over REST and in the panel. */

export const clockAdvanceInput = z.object({
  by: parsed(
    z
      .string({ error: issue('not_duration') })
      .meta({ example: '30d', description: 'Por quanto tempo: 90s, 15m, 12h ou 30d.' }),
    parseDuration,
    (ms) => `${ms / 1000}s`,
    'not_duration',
  ),
});

export const clockOutput = z.object({
  success: z.literal(true),
  data: named(
    'TestClock',
    z.object({
      now: instantOutput.describe('Que horas são para esta conta.'),
      ahead_seconds: z.int().min(0).describe('Quantos segundos o relógio está adiantado; 0: tem a hora real.'),
      target: instantOutput.nullable().describe('Até quando o relógio está avançando; null: não está.'),
      stopped: z
        .enum(['too_long', 'sandbox_silent'])
        .nullable()
        .describe(
          'Por que o último avanço parou antes do fim: too_long (demorou demais) ou sandbox_silent (o sandbox não respondeu); null: chegou ao fim.',
        ),
    }),
  ),
});
