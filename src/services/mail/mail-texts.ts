import type { Language } from '#domain/values/language.ts';

type Text = { subject: string; text: string };

/**
 * Every message that we send, in both languages. Plain text: it reads the same everywhere, and nothing that somebody typed can
 * become a link or a picture.
 */
export const MAIL_TEXTS = {
  sign_up_link: (params: { url: string }) => ({
    'pt-BR': {
      subject: 'Confirme seu e-mail',
      text: `Olá.\n\nPara abrir sua conta no Trilho, confira os dados do negócio e escolha sua senha:\n${params.url}\n\nO link vale por 1 hora e funciona uma vez. Se não foi você, ignore esta mensagem: nada acontece.`,
    },
    en: {
      subject: 'Confirm your e-mail',
      text: `Hello,\n\nTo open your Trilho account, check the details of the business and choose your password:\n${params.url}\n\nThe link works for 1 hour, once. If this was not you, ignore this message: nothing happens.`,
    },
  }),
  ask_for_invitation: (params: { merchant: string }) => ({
    'pt-BR': {
      subject: 'Este e-mail já é de um negócio',
      text: `Olá.\n\nAlguém pediu uma conta no Trilho com este e-mail, mas ele já é o do negócio ${params.merchant}. Para entrar nele, peça um convite a quem já entra ou a quem opera esta instalação. Se não foi você, ignore esta mensagem: nada acontece.`,
    },
    en: {
      subject: 'This e-mail belongs to a business already',
      text: `Hello,\n\nSomebody asked for a Trilho account with this e-mail, but it is that of the business ${params.merchant} already. To get in, ask for an invitation from somebody who signs in there, or from whoever runs this installation. If this was not you, ignore this message: nothing happens.`,
    },
  }),
  invitation: (params: { merchant: string; url: string }) => ({
    'pt-BR': {
      subject: 'Convite para o Trilho',
      text: `Olá.\n\nVocê foi convidado para entrar no negócio ${params.merchant}. Para aceitar, escolha sua senha:\n${params.url}\n\nO link vale por 7 dias e funciona uma vez. Se você não esperava este convite, ignore esta mensagem: nada acontece.`,
    },
    en: {
      subject: 'Invitation to Trilho',
      text: `Hello,\n\nYou were invited to the business ${params.merchant}. To accept, choose your password:\n${params.url}\n\nThe link works for 7 days, once. If you did not expect this invitation, ignore this message: nothing happens.`,
    },
  }),
  invited_elsewhere: (params: { merchant: string }) => ({
    'pt-BR': {
      subject: 'Convite para o Trilho',
      text: `Olá.\n\nVocê foi convidado para entrar no negócio ${params.merchant}, mas este e-mail já entra em outro negócio desta instalação, e cada e-mail entra em um só. Peça um convite para outro endereço seu.`,
    },
    en: {
      subject: 'Invitation to Trilho',
      text: `Hello,\n\nYou were invited to the business ${params.merchant}, but this e-mail signs in to another business of this installation already, and each e-mail signs in to one only. Ask for an invitation to another address of yours.`,
    },
  }),
  people_changed: (params: { name: string; what: 'invited' | 'joined'; person: string; url: string }) => ({
    'pt-BR': {
      subject: 'Mudança em quem entra na sua conta',
      text: `Olá, ${params.name}.\n\n${params.what === 'invited' ? 'Foi enviado um convite para entrar no seu negócio a' : 'Entrou no seu negócio, por convite,'} ${params.person}.\n\nSe você não sabe quem é, entre agora e veja a página Segurança:\n${params.url}`,
    },
    en: {
      subject: 'A change to who signs in to your account',
      text: `Hello ${params.name},\n\n${params.what === 'invited' ? 'An invitation to your business was sent to' : 'Somebody joined your business by invitation:'} ${params.person}.\n\nIf you do not know who that is, sign in now and look at the page Security:\n${params.url}`,
    },
  }),
  already_signed_up: (params: { name: string; url: string }) => ({
    'pt-BR': {
      subject: 'Você já tem uma conta',
      text: `Olá, ${params.name}.\n\nAlguém pediu uma conta no Trilho com este e-mail, mas ela já existe. Para entrar:\n${params.url}\n\nEsqueceu a senha? Na mesma página você cria outra. Se não foi você, ignore esta mensagem.`,
    },
    en: {
      subject: 'You already have an account',
      text: `Hello ${params.name},\n\nSomebody asked for a Trilho account with this e-mail, but it exists already. To sign in:\n${params.url}\n\nForgot your password? You can make a new one on the same page. If this was not you, ignore this message.`,
    },
  }),
  reset_password: (params: { name: string; url: string }) => ({
    'pt-BR': {
      subject: 'Crie uma nova senha',
      text: `Olá, ${params.name}.\n\nPara criar uma nova senha:\n${params.url}\n\nO link vale por 1 hora e funciona uma vez. Depois da troca, você e as chaves de API que criou não enviam dinheiro por 24 horas. Se não foi você, ignore esta mensagem: sua senha continua a mesma.`,
    },
    en: {
      subject: 'Make a new password',
      text: `Hello ${params.name},\n\nTo make a new password:\n${params.url}\n\nThe link works for 1 hour, once. After the change, you and the API keys that you made send no money for 24 hours. If this was not you, ignore this message: your password stays as it is.`,
    },
  }),
  security_changed: (params: SecurityParams) => ({
    'pt-BR': {
      subject: 'Mudança na segurança da sua conta',
      text: `Olá, ${params.name}.\n\n${CHANGES[params.what]['pt-BR']}\n\n${circumstances(params, 'pt-BR')}\n\nSe você não esperava por isto, entre agora, troque a senha, encerre as outras sessões e revogue o que não reconhece:\n${params.url}`,
    },
    en: {
      subject: 'A change to the security of your account',
      text: `Hello ${params.name},\n\n${CHANGES[params.what].en}\n\n${circumstances(params, 'en')}\n\nIf you did not expect this, sign in now, change your password, end the other sessions and revoke what you do not recognise:\n${params.url}`,
    },
  }),
  verification_decided: (params: { name: string; approved: boolean; reason: string; url: string }) => ({
    'pt-BR': params.approved
      ? {
          subject: 'Verificação aprovada',
          text: `Olá, ${params.name}.\n\nA verificação cadastral foi aprovada: os saques estão liberados.\n${params.url}`,
        }
      : {
          subject: 'Verificação: falta corrigir algo',
          text: `Olá, ${params.name}.\n\nA verificação cadastral não foi aprovada. O motivo:\n\n${params.reason}\n\nO que você preencheu continua lá: corrija e envie de novo.\n${params.url}`,
        },
    en: params.approved
      ? {
          subject: 'Verification approved',
          text: `Hello ${params.name},\n\nYour verification was approved: withdrawals are open.\n${params.url}`,
        }
      : {
          subject: 'Verification: something needs correcting',
          text: `Hello ${params.name},\n\nYour verification was not approved. The reason:\n\n${params.reason}\n\nWhat you filled in is still there: correct it and send it again.\n${params.url}`,
        },
  }),
  withdrawal_failed: (params: { name: string; reais: number; url: string }) => ({
    'pt-BR': {
      subject: `Saque de ${brl(params.reais, 'pt-BR')} falhou`,
      text: `Olá, ${params.name}.\n\nUm saque de ${brl(params.reais, 'pt-BR')} falhou, e o valor voltou ao saldo disponível. O motivo está na transação:\n${params.url}`,
    },
    en: {
      subject: `Withdrawal of ${brl(params.reais, 'en')} failed`,
      text: `Hello ${params.name},\n\nA withdrawal of ${brl(params.reais, 'en')} failed, and the money is back in the available balance. The transaction says why:\n${params.url}`,
    },
  }),
  webhook_failing: (params: { name: string; host: string; url: string }) => ({
    'pt-BR': {
      subject: 'Um webhook falha há uma hora',
      text: `Olá, ${params.name}.\n\nHá uma hora nenhum evento chega a ${params.host}. As tentativas continuam por três dias; veja as respostas e reenvie quando quiser:\n${params.url}`,
    },
    en: {
      subject: 'A webhook has been failing for an hour',
      text: `Hello ${params.name},\n\nFor an hour no event has reached ${params.host}. Attempts go on for three days; see the answers and resend whenever you like:\n${params.url}`,
    },
  }),
  webhook_disabled: (params: { name: string; host: string; url: string }) => ({
    'pt-BR': {
      subject: 'Um webhook foi desativado',
      text: `Olá, ${params.name}.\n\n${params.host} respondeu 410 (não me chame mais), e o webhook foi desativado: os eventos ficam retidos. Para recebê-los, ative-o de novo e envie os retidos:\n${params.url}`,
    },
    en: {
      subject: 'A webhook was disabled',
      text: `Hello ${params.name},\n\n${params.host} answered 410 (do not call me again), and the webhook was disabled: events are held. To receive them, enable it and send those that are held:\n${params.url}`,
    },
  }),
} as const satisfies Record<string, (params: never) => Record<Language, Text>>;

const brl = (reais: number, language: Language) =>
  new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' }).format(reais);

type SecurityParams = {
  name: string;
  what: SecurityChange;
  about: string | null;
  by: string | null;
  at: Date;
  ipAddress: string | null;
  url: string;
};

/** What, who, when and from where, a line each. */
function circumstances({ about, by, at, ipAddress }: SecurityParams, language: Language): string {
  const words = CIRCUMSTANCES[language];
  const time = new Intl.DateTimeFormat(language, {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return [
    about && `${words.about}: ${about}`,
    `${words.by}: ${by ?? words.operator}`,
    `${words.at}: ${time.format(at)} (${words.zone})`,
    ipAddress && `${words.from}: ${ipAddress}`,
  ]
    .filter(Boolean)
    .join('\n');
}

const CIRCUMSTANCES = {
  'pt-BR': {
    about: 'Qual',
    by: 'Quem',
    operator: 'quem opera esta instalação',
    at: 'Quando',
    zone: 'horário de São Paulo',
    from: 'De onde',
  },
  en: {
    about: 'Which',
    by: 'Who',
    operator: 'whoever runs this installation',
    at: 'When',
    zone: 'São Paulo time',
    from: 'From',
  },
} as const;

const CHANGES = {
  password: { 'pt-BR': 'Uma senha foi trocada.', en: 'A password was changed.' },
  password_reset: {
    'pt-BR':
      'Uma senha foi redefinida por e-mail. Por 24 horas, quem a redefiniu e as chaves de API que criou não enviam dinheiro.',
    en: 'A password was reset by e-mail. For 24 hours, whoever reset it and the API keys they made send no money.',
  },
  second_factor_on: {
    'pt-BR': 'A verificação em duas etapas foi ativada.',
    en: 'Two-step verification was turned on.',
  },
  second_factor_off: {
    'pt-BR':
      'A verificação em duas etapas foi desativada. Por 24 horas, quem a desativou e as chaves de API que criou não enviam dinheiro.',
    en: 'Two-step verification was turned off. For 24 hours, whoever turned it off and the API keys they made send no money.',
  },
  recovery_codes: {
    'pt-BR': 'Novos códigos de recuperação foram gerados.',
    en: 'New recovery codes were made.',
  },
  passkey_added: { 'pt-BR': 'Uma chave de acesso (passkey) foi adicionada.', en: 'A passkey was added.' },
  passkey_removed: { 'pt-BR': 'Uma chave de acesso (passkey) foi removida.', en: 'A passkey was removed.' },
  api_key_created: { 'pt-BR': 'Uma chave de API foi criada.', en: 'An API key was made.' },
  api_key_rotated: {
    'pt-BR': 'Uma chave de API foi trocada por uma nova.',
    en: 'An API key was replaced by a new one.',
  },
  endpoint_set: { 'pt-BR': 'O endereço de um webhook foi definido.', en: 'The address of a webhook was set.' },
  endpoint_removed: { 'pt-BR': 'Um webhook foi removido.', en: 'A webhook was removed.' },
  endpoint_enabled: { 'pt-BR': 'Um webhook foi reativado.', en: 'A webhook was enabled again.' },
  webhook_secret_revealed: {
    'pt-BR': 'O segredo que assina os webhooks foi exibido.',
    en: 'The secret that signs webhooks was shown.',
  },
  webhook_secret_rotated: {
    'pt-BR': 'O segredo que assina os webhooks foi trocado.',
    en: 'The secret that signs webhooks was replaced.',
  },
  account_suspended: {
    'pt-BR': 'A conta foi suspensa: ela continua recebendo, mas nenhum dinheiro sai e as chaves de API são recusadas.',
    en: 'The account was suspended: it goes on receiving, but no money leaves and its API keys are refused.',
  },
  account_resumed: { 'pt-BR': 'A suspensão da conta terminou.', en: 'The suspension of the account has ended.' },
} as const satisfies Record<string, Record<Language, string>>;

/** What every member is notified of. */
export type SecurityChange = keyof typeof CHANGES;

export type MailTemplate = keyof typeof MAIL_TEXTS;
export type MailParams<T extends MailTemplate> = Parameters<(typeof MAIL_TEXTS)[T]>[0];
