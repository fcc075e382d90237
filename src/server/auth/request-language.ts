/** The language for a message about this request: what the page said, else Portuguese. */
export const languageOf = (request: { headers: Headers } | undefined): 'pt-BR' | 'en' =>
  /^en\b/i.test(request?.headers.get('accept-language') ?? '') ? 'en' : 'pt-BR';
