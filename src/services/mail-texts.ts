import type { Language } from '#domain/language.ts';

type Text = { subject: string; text: string };

/**
 * Every message that we send, in both languages. Plain text: it reads the same everywhere, and nothing that somebody typed can
 * become a link or a picture.
 */
export const MAIL_TEXTS = {
  sign_up_link: (facts: { url: string }) => ({
    'pt-BR': {
      subject: 'Confirme seu e-mail',
      text: `Olá.\n\nPara abrir sua conta no Trilho, confira os dados do negócio e escolha sua senha:\n${facts.url}\n\nO link vale por 1 hora e funciona uma vez. Se não foi você, ignore esta mensagem: nada acontece.`,
    },
    en: {
      subject: 'Confirm your e-mail',
      text: `Hello,\n\nTo open your Trilho account, check the details of the business and choose your password:\n${facts.url}\n\nThe link works for 1 hour, once. If this was not you, ignore this message: nothing happens.`,
    },
  }),
  ask_for_invitation: (facts: { merchant: string }) => ({
    'pt-BR': {
      subject: 'Este e-mail já é de um negócio',
      text: `Olá.\n\nAlguém pediu uma conta no Trilho com este e-mail, mas ele já é o do negócio ${facts.merchant}. Para entrar nele, peça um convite a quem já entra ou a quem opera esta instalação. Se não foi você, ignore esta mensagem: nada acontece.`,
    },
    en: {
      subject: 'This e-mail belongs to a business already',
      text: `Hello,\n\nSomebody asked for a Trilho account with this e-mail, but it is that of the business ${facts.merchant} already. To get in, ask for an invitation from somebody who signs in there, or from whoever runs this installation. If this was not you, ignore this message: nothing happens.`,
    },
  }),
  invitation: (facts: { merchant: string; url: string }) => ({
    'pt-BR': {
      subject: 'Convite para o Trilho',
      text: `Olá.\n\nVocê foi convidado para entrar no negócio ${facts.merchant}. Para aceitar, escolha sua senha:\n${facts.url}\n\nO link vale por 7 dias e funciona uma vez. Se você não esperava este convite, ignore esta mensagem: nada acontece.`,
    },
    en: {
      subject: 'Invitation to Trilho',
      text: `Hello,\n\nYou were invited to the business ${facts.merchant}. To accept, choose your password:\n${facts.url}\n\nThe link works for 7 days, once. If you did not expect this invitation, ignore this message: nothing happens.`,
    },
  }),
  invited_elsewhere: (facts: { merchant: string }) => ({
    'pt-BR': {
      subject: 'Convite para o Trilho',
      text: `Olá.\n\nVocê foi convidado para entrar no negócio ${facts.merchant}, mas este e-mail já entra em outro negócio desta instalação, e cada e-mail entra em um só. Peça um convite para outro endereço seu.`,
    },
    en: {
      subject: 'Invitation to Trilho',
      text: `Hello,\n\nYou were invited to the business ${facts.merchant}, but this e-mail signs in to another business of this installation already, and each e-mail signs in to one only. Ask for an invitation to another address of yours.`,
    },
  }),
  people_changed: (facts: { name: string; what: 'invited' | 'joined'; person: string; url: string }) => ({
    'pt-BR': {
      subject: 'Mudança em quem entra na sua conta',
      text: `Olá, ${facts.name}.\n\n${facts.what === 'invited' ? 'Foi enviado um convite para entrar no seu negócio a' : 'Entrou no seu negócio, por convite,'} ${facts.person}.\n\nSe você não sabe quem é, entre agora e veja a página Segurança:\n${facts.url}`,
    },
    en: {
      subject: 'A change to who signs in to your account',
      text: `Hello ${facts.name},\n\n${facts.what === 'invited' ? 'An invitation to your business was sent to' : 'Somebody joined your business by invitation:'} ${facts.person}.\n\nIf you do not know who that is, sign in now and look at the page Security:\n${facts.url}`,
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
  verification_decided: (facts: { name: string; approved: boolean; reason: string; url: string }) => ({
    'pt-BR': facts.approved
      ? {
          subject: 'Verificação aprovada',
          text: `Olá, ${facts.name}.\n\nA verificação cadastral foi aprovada: os saques estão liberados.\n${facts.url}`,
        }
      : {
          subject: 'Verificação: falta corrigir algo',
          text: `Olá, ${facts.name}.\n\nA verificação cadastral não foi aprovada. O motivo:\n\n${facts.reason}\n\nO que você preencheu continua lá: corrija e envie de novo.\n${facts.url}`,
        },
    en: facts.approved
      ? {
          subject: 'Verification approved',
          text: `Hello ${facts.name},\n\nYour verification was approved: withdrawals are open.\n${facts.url}`,
        }
      : {
          subject: 'Verification: something needs correcting',
          text: `Hello ${facts.name},\n\nYour verification was not approved. The reason:\n\n${facts.reason}\n\nWhat you filled in is still there: correct it and send it again.\n${facts.url}`,
        },
  }),
  withdrawal_failed: (facts: { name: string; reais: number; url: string }) => ({
    'pt-BR': {
      subject: `Saque de ${brl(facts.reais, 'pt-BR')} falhou`,
      text: `Olá, ${facts.name}.\n\nUm saque de ${brl(facts.reais, 'pt-BR')} falhou, e o valor voltou ao saldo disponível. O motivo está na transação:\n${facts.url}`,
    },
    en: {
      subject: `Withdrawal of ${brl(facts.reais, 'en')} failed`,
      text: `Hello ${facts.name},\n\nA withdrawal of ${brl(facts.reais, 'en')} failed, and the money is back in the available balance. The transaction says why:\n${facts.url}`,
    },
  }),
  webhook_failing: (facts: { name: string; host: string; url: string }) => ({
    'pt-BR': {
      subject: 'Um webhook falha há uma hora',
      text: `Olá, ${facts.name}.\n\nHá uma hora nenhum evento chega a ${facts.host}. As tentativas continuam por três dias; veja as respostas e reenvie quando quiser:\n${facts.url}`,
    },
    en: {
      subject: 'A webhook has been failing for an hour',
      text: `Hello ${facts.name},\n\nFor an hour no event has reached ${facts.host}. Attempts go on for three days; see the answers and resend whenever you like:\n${facts.url}`,
    },
  }),
  webhook_disabled: (facts: { name: string; host: string; url: string }) => ({
    'pt-BR': {
      subject: 'Um webhook foi desativado',
      text: `Olá, ${facts.name}.\n\n${facts.host} respondeu 410 (não me chame mais), e o webhook foi desativado: nada mais é enviado. Para voltar a receber, ative-o de novo:\n${facts.url}`,
    },
    en: {
      subject: 'A webhook was disabled',
      text: `Hello ${facts.name},\n\n${facts.host} answered 410 (do not call me again), and the webhook was disabled: nothing more is sent. To receive events again, enable it:\n${facts.url}`,
    },
  }),
} as const satisfies Record<string, (facts: never) => Record<Language, Text>>;

const brl = (reais: number, language: Language) =>
  new Intl.NumberFormat(language, { style: 'currency', currency: 'BRL' }).format(reais);

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
