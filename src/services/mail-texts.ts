export type MailLanguage = 'pt-BR' | 'en';

type Text = { subject: string; text: string };

/**
 * Every message that we send, in both languages. Plain text: it reads the same everywhere, and nothing that somebody typed can
 * become a link or a picture.
 */
export const MAIL_TEXTS = {
  verify_email: (facts: { name: string; url: string }) => ({
    'pt-BR': {
      subject: 'Confirme seu e-mail',
      text: `Olá, ${facts.name}.\n\nPara abrir sua conta no Trilho, confirme este e-mail:\n${facts.url}\n\nO link vale por 1 hora. Se não foi você, ignore esta mensagem: nada acontece.`,
    },
    en: {
      subject: 'Confirm your e-mail',
      text: `Hello ${facts.name},\n\nTo open your Trilho account, confirm this e-mail:\n${facts.url}\n\nThe link works for 1 hour. If this was not you, ignore this message: nothing happens.`,
    },
  }),
  already_signed_up: (facts: { name: string; url: string }) => ({
    'pt-BR': {
      subject: 'Você já tem uma conta',
      text: `Olá, ${facts.name}.\n\nAlguém pediu uma conta no Trilho com este e-mail, mas ela já existe. Para entrar:\n${facts.url}\n\nEsqueceu a senha? Na mesma página você cria outra. Se não foi você, ignore esta mensagem.`,
    },
    en: {
      subject: 'You already have an account',
      text: `Hello ${facts.name},\n\nSomebody asked for a Trilho account with this e-mail, but it exists already. To sign in:\n${facts.url}\n\nForgot your password? You can make a new one on the same page. If this was not you, ignore this message.`,
    },
  }),
  reset_password: (facts: { name: string; url: string }) => ({
    'pt-BR': {
      subject: 'Crie uma nova senha',
      text: `Olá, ${facts.name}.\n\nPara criar uma nova senha:\n${facts.url}\n\nO link vale por 1 hora e funciona uma vez. Depois da troca, saques pelo painel ficam pausados por 24 horas. Se não foi você, ignore esta mensagem: sua senha continua a mesma.`,
    },
    en: {
      subject: 'Make a new password',
      text: `Hello ${facts.name},\n\nTo make a new password:\n${facts.url}\n\nThe link works for 1 hour, once. After the change, withdrawals from the panel are paused for 24 hours. If this was not you, ignore this message: your password stays as it is.`,
    },
  }),
  security_changed: (facts: {
    name: string;
    what: 'password' | 'second_factor_off' | 'second_factor_on' | 'passkey_added' | 'passkey_removed';
    url: string;
  }) => ({
    'pt-BR': {
      subject: 'Mudança na segurança da sua conta',
      text: `Olá, ${facts.name}.\n\n${CHANGES[facts.what]['pt-BR']}\n\nSe não foi você, entre agora, troque a senha e encerre as outras sessões:\n${facts.url}`,
    },
    en: {
      subject: 'A change to the security of your account',
      text: `Hello ${facts.name},\n\n${CHANGES[facts.what].en}\n\nIf this was not you, sign in now, change the password and end the other sessions:\n${facts.url}`,
    },
  }),
} as const satisfies Record<string, (facts: never) => Record<MailLanguage, Text>>;

const CHANGES = {
  password: { 'pt-BR': 'A senha da sua conta foi trocada.', en: 'The password of your account was changed.' },
  second_factor_on: {
    'pt-BR': 'A verificação em duas etapas foi ativada.',
    en: 'Two-step verification was turned on.',
  },
  second_factor_off: {
    'pt-BR': 'A verificação em duas etapas foi desativada. Saques pelo painel ficam pausados por 24 horas.',
    en: 'Two-step verification was turned off. Withdrawals from the panel are paused for 24 hours.',
  },
  passkey_added: { 'pt-BR': 'Uma chave de acesso (passkey) foi adicionada.', en: 'A passkey was added.' },
  passkey_removed: { 'pt-BR': 'Uma chave de acesso (passkey) foi removida.', en: 'A passkey was removed.' },
} as const;

export type MailTemplate = keyof typeof MAIL_TEXTS;
export type MailFacts<T extends MailTemplate> = Parameters<(typeof MAIL_TEXTS)[T]>[0];
