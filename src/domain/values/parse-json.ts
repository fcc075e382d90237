/** Returns the value of a JSON text; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it replaces control characters
const CONTROL_CHARACTERS = /[\u0000-\u001f]/g;

/**
 * As parseJson, of another system's text: a control character that stands in a string as it is,
 * which is no JSON, counts as a space. So Banco do Brasil has answered with a payer's line break
 * (github.com/imobanco/bb-wrapper, test_consultar_cobranca_content_bizarro).
 */
export const parseForeignJson = (text: string): unknown =>
  parseJson(text) ?? parseJson(text.replace(CONTROL_CHARACTERS, ' '));
