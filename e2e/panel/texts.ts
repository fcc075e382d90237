import { createTranslator } from 'next-intl';
import type { Language } from '../../src/domain/values/language.ts';
import { messages } from '../../src/messages/messages.ts';
import { textsOf } from '../../src/messages/testing/texts-of.ts';
import { timeZone } from '../../src/panel/create-formats.ts';

/** A text of the catalogue as a page shows it; see `textsIn`. */
export type Text = (portuguese: string, values?: Record<string, string | number | Date>, under?: string) => string;

const PORTUGUESE = [...textsOf(messages['pt-BR'])];
const ENGLISH = textsOf(messages.en);

/**
 * Texts by what the Portuguese catalogue says, so that a flow reads the same in every language:
 * `text('Criar uma de {amount}', { amount: 'R$ 50,00' })`. `under` is the beginning of a text's
 * path, for one that English says in several ways (`text('Recusar', {}, 'panel.transactions')`).
 *
 * Throws where the catalogue has no such text, or English has several for it, or a value is
 * missing.
 */
export function textsIn(language: Language): Text {
  const translate = createTranslator({
    locale: language,
    messages: messages[language],
    timeZone,
    onError: (error) => {
      throw error;
    },
  });
  return (portuguese, values = {}, under = '') => translate(pathOf(portuguese, under), values);
}

/** Stands for any path: next-intl types them by their names. */
type Path = 'notFound.title';

function pathOf(portuguese: string, under: string): Path {
  const paths = PORTUGUESE.filter(([path, text]) => text === portuguese && `${path}.`.startsWith(under && `${under}.`));
  const [path] = paths.map(([path]) => path);
  if (path === undefined) {
    throw new Error(`No text of the catalogue${under && ` under ${under}`} is “${portuguese}”.`);
  }
  const translations = new Set(paths.map(([path]) => ENGLISH.get(path)));
  if (translations.size > 1) {
    const choices = paths.map(([path]) => `${path}: ${ENGLISH.get(path)}`).join('\n');
    throw new Error(`“${portuguese}” is several texts in English; name the beginning of its path:\n${choices}`);
  }
  return path as Path;
}
