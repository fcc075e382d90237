import { createLoader, type inferParserType, parseAsString } from 'nuqs/server';
import { parseAsDay } from '#panel/shell/parse-as-day.ts';
import { parseAsWord } from '#panel/shell/parse-as-word.ts';

/** What the audit log shows, as its address has it; unknown values are ignored. */
export const ACTIVITY_ADDRESS = {
  registros: parseAsWord({ security: 'seguranca', money: 'dinheiro' }).withDefault('security'),
  busca: parseAsString.withDefault(''),
  quem: parseAsString.withDefault(''),
  de: parseAsDay.withDefault(''),
  ate: parseAsDay.withDefault(''),
};

export const loadActivitySearch = createLoader(ACTIVITY_ADDRESS);

/** The search as security.activity takes it. */
export function activityInput({ registros: kind, busca, quem, de, ate }: inferParserType<typeof ACTIVITY_ADDRESS>) {
  return {
    kind,
    ...(busca && { text: busca }),
    ...(quem && { who: quem }),
    ...(de && { from: de }),
    ...(ate && { to: ate }),
  };
}
