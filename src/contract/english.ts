/**
 * What is wrong with a field, in English: for the panel's English pages. The REST contract is Portuguese. `#` stands for a number or a
 * word that both languages share. A test says which message has no English yet.
 */
const ENGLISH: Record<string, string> = {
  'Contém caracteres inválidos.': 'Has characters that are not valid.',
  'Deve estar no futuro, daqui a no máximo # anos.': 'Must be in the future, # years from now at most.',
  'Deve ser # ou #.': 'Must be # or #.',
  'Deve ser CPF, CNPJ, EMAIL, PHONE ou EVP (RANDOM é aceito como EVP).':
    'Must be CPF, CNPJ, EMAIL, PHONE or EVP (RANDOM is taken as EVP).',
  'Deve ser a sigla de um estado.': 'Must be the two letters of a state.',
  'Deve ser de # a #.': 'Must be from # to #.',
  'Deve ser exatamente # ou #.': 'Must be exactly # or #.',
  'Deve ser no máximo R$ #.': 'Must be R$ # at most.',
  'Deve ser no máximo o valor líquido da cobrança.': 'Must be no more than what the charge leaves after its fee.',
  'Deve ser o next_cursor da página anterior.': 'Must be the next_cursor of the page before.',
  'Deve ser sim ou não.': 'Must be yes or no.',
  'Deve ser um # válido.': 'Must be a valid #.',
  'Deve ser um CEP com oito dígitos.': 'Must be a CEP of eight digits.',
  'Deve ser um CPF ou CNPJ válido.': 'Must be a valid CPF or CNPJ.',
  'Deve ser um dia, ex.: #.': 'Must be a day, e.g. #.',
  'Deve ser um e-mail sem acentos nem letras especiais (a-z, 0-9).':
    'Must be an e-mail address without accents or special letters (a-z, 0-9).',
  'Deve ser um e-mail válido.': 'Must be a valid e-mail address.',
  'Deve ser um endereço como #.': 'Must be an address like #.',
  'Deve ser um identificador (uuid).': 'Must be an identifier (uuid).',
  'Deve ser um instante em UTC (ISO 8601).': 'Must be an instant in UTC (ISO 8601).',
  'Deve ser um número inteiro de # a #.': 'Must be a whole number from # to #.',
  'Deve ser um número maior que zero, em reais, com no máximo duas casas decimais.':
    'Must be a number above zero, in reais, with two decimals at most.',
  'Deve ser um telefone brasileiro com DDD.': 'Must be a Brazilian phone number with its area code.',
  'Deve ser um texto.': 'Must be a text.',
  'Deve ser um valor em reais de # a #, com ponto e no máximo duas casas decimais.':
    'Must be an amount in reais from # to #, with a point and two decimals at most.',
  'Deve ser um valor em reais, com no máximo duas casas decimais.':
    'Must be an amount in reais, with two decimals at most.',
  'Deve ser um valor em reais.': 'Must be an amount in reais.',
  'Deve ser um valor inteiro em reais, maior que zero.': 'Must be a whole number of reais, above zero.',
  'Deve ser uma data (AAAA-MM-DD).': 'Must be a date (YYYY-MM-DD).',
  'Deve ser uma data ISO 8601, ex.: #.': 'Must be an ISO 8601 date, e.g. #.',
  'Deve ter no máximo # caracteres.': 'Must have # characters at most.',
  'Envie splitReceiverUserId ou splitReceiverEmail com splitAmount.':
    'Send splitReceiverUserId or splitReceiverEmail with splitAmount.',
  'Envie um ou mais de: #.': 'Send one or more of: #.',
  'Escolha ao menos uma permissão.': 'Choose at least one permission.',
  'Informe um valor.': 'Give an amount.',
  'Nenhum usuário com este identificador e e-mail foi encontrado.':
    'No user with this identifier and e-mail was found.',
  'No máximo # endereços ou faixas.': '# addresses or ranges at most.',
  'Não pode conter um endereço da internet, ex.: www.loja.com. Depois de um ponto, deixe um espaço.':
    'Can’t hold an internet address, e.g. www.loja.com. After a dot, leave a space.',
  'Não pode ser uma data futura.': 'Can’t be a date in the future.',
  'Não pode ser vazio.': 'Can’t be empty.',
  'Não é o código de uma moeda oferecida.': 'Is not the code of a currency that is offered.',
  'Não é o código de uma moeda oferecida; consulte GET /payments/currencies.':
    'Is not the code of a currency that is offered; see GET /payments/currencies.',
  'Não é um aviso conhecido.': 'Is not a notification that we know.',
  'Não é um endereço IP nem uma faixa CIDR.': 'Is neither an IP address nor a CIDR range.',
  'Não é uma chave válida do tipo #.': 'Is not a valid key of the type #.',
  'O período tem no máximo # dias.': 'The period has # days at most.',
  'O primeiro dia vem antes do último.': 'The first day comes before the last.',
  'O recebedor da divisão deve ser outro usuário.': 'The receiver of the split must be another user.',
  'Texto longo demais.': 'The text is too long.',
  'Use um endereço https público e válido.': 'Use a valid, public https address.',
  'Use um endereço https.': 'Use an https address.',
  'É obrigatório quando # é enviado.': 'Is required when # is sent.',
  'É obrigatório quando um recebedor da divisão é enviado.': 'Is required when a receiver of the split is sent.',
  'É preciso ter # anos ou mais.': 'Must be # years old or more.',
};

const PATTERNS = Object.entries(ENGLISH)
  .filter(([portuguese]) => portuguese.includes('#'))
  .map(([portuguese, english]) => ({
    pattern: new RegExp(`^${portuguese.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', '(.+?)')}$`),
    english,
  }));

/** A field's fault in English; as it is where there is none. */
export function inEnglish(message: string): string {
  // The whole sentence first: `Deve ser # ou #.` has something to say of `Deve ser sim ou não.` too.
  const whole = ENGLISH[message];
  if (whole !== undefined) return whole;
  for (const { pattern, english } of PATTERNS) {
    const parts = pattern.exec(message)?.slice(1);
    if (parts) return english.replaceAll('#', () => parts.shift() ?? '');
  }
  return message;
}
