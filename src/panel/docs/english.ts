/**
 * The headings and summaries of the OpenAPI document in English, by the Portuguese; the test beside it says which are missing or no
 * longer used. Fields are described in the document's own language, as the errors are, which are part of the contract.
 */
export const ENGLISH: Record<string, string> = {
  PIX: 'PIX',
  'Cobranças e saques por PIX.': 'Charges and withdrawals over PIX.',
  Cripto: 'Crypto',
  'Depósitos e saques em criptomoedas, moedas e cotações.':
    'Deposits and withdrawals in crypto, currencies and quotes.',
  Transações: 'Transactions',
  'Consulta, devolução e cancelamento.': 'Look-up, refund and cancellation.',
  Eventos: 'Events',
  'O que aconteceu: consultar, e enviar de novo à sua URL.':
    'What happened: look it up, and send it to your URL again.',
  'Listar eventos': 'List events',
  'Do mais novo para o mais antigo, também os que nunca foram enviados. Com status ou type uma página pode vir com menos que limit, ou vazia: continue até next_cursor ser null.':
    'Newest first, including those that were never sent. With status or type a page can have fewer than limit, or none: go on until next_cursor is null.',
  'Consultar um evento com seu corpo e suas tentativas': 'Get an event with its body and its attempts',
  'O corpo é o que foi ou será enviado, byte por byte.': 'The body is what was or will be sent, byte for byte.',
  'Enviar um evento de novo, ou um retido': 'Send an event again, or one that is held',
  'Com o mesmo webhook-id e o mesmo corpo, para onde ele vai agora. O que já está a caminho é enviado uma vez só, por mais que se peça.':
    'With the same webhook-id and the same body, to where it goes now. One that is on its way is sent once, however often it is asked for.',
  'Enviar todos os eventos retidos de um tópico': 'Send all held events of a topic',
  'Do mais antigo ao mais novo, cada um depois que o anterior foi recebido; o primeiro que não for recebido interrompe o envio. Repetir não envia nada duas vezes.':
    'Oldest first, each once the one before was received; the first that is not received ends it. Repeating it sends nothing twice.',
  Conta: 'Account',
  'Saldo, limites e cadastro.': 'Balance, limits and profile.',
  Webhooks: 'Webhooks',
  'Os eventos que enviamos à sua URL.': 'The events that we send to your URL.',
  'Criar cobrança PIX': 'Create a PIX charge',
  'Cria uma cobrança PIX e devolve o código copia e cola.': 'Creates a PIX charge and answers its copy-and-paste code.',
  'Listar transações': 'List transactions',
  'Da mais nova para a mais antiga. Para a próxima página, envie next_cursor como cursor.':
    'Newest first. For the next page, send next_cursor as cursor.',
  'Criar depósito em cripto': 'Create a crypto deposit',
  'Cria uma invoice na moeda pedida, ou na da conta; confirma-se sozinha quando a rede confirma o pagamento.':
    'Creates an invoice in the currency asked for, or in the account’s; it confirms by itself when the network confirms the payment.',
  'Sacar por PIX': 'Withdraw over PIX',
  'Envia exatamente amount à chave; a tarifa é somada e sai do saldo.':
    'Sends exactly amount to the key; the fee comes on top and is taken from the balance.',
  'Sacar em cripto': 'Withdraw in crypto',
  'A tarifa sai de amount; o equivalente líquido em cripto é enviado à carteira.':
    'The fee comes out of amount; the net equivalent in crypto is sent to the wallet.',
  'Consultar status de uma transação PIX': 'Get the status of a PIX transaction',
  'Só as transações da conta desta chave, e só com o tipo certo: senão 404.':
    'Only transactions of this key’s account, and only with the right type: 404 otherwise.',
  'Consultar uma transação com seu histórico': 'Get a transaction with its history',
  'De qualquer tipo, PIX ou cripto, com devoluções, divisão, cotação e tudo o que aconteceu com ela.':
    'Of any type, PIX or crypto, with refunds, split, quote and everything that happened to it.',
  'Devolver uma cobrança PIX paga': 'Refund a paid PIX charge',
  'No todo ou em parte, até 90 dias depois do pagamento e nunca acima do valor original.':
    'In full or in part, up to 90 days after the payment and never above the original amount.',
  'Cancelar uma cobrança PIX pendente': 'Cancel a pending PIX charge',
  'Encerra a cobrança no provedor antes: depois disto ela não pode mais ser paga. Repetir não muda nada.':
    'Ends the charge at the provider first: after this it can’t be paid any more. Repeating it changes nothing.',
  'Consultar saldo': 'Get the balance',
  'O saldo da conta desta chave. Em modo real exige KYC aprovado.':
    'The balance of this key’s account. In live mode it needs an approved KYC.',
  'Listar moedas': 'List currencies',
  'As moedas que esta conta pode usar agora em depósitos e saques.':
    'The currencies that this account can use now for deposits and withdrawals.',
  'Consultar cotação': 'Get a quote',
  'O preço que um depósito ou saque teria agora; não o reserva.':
    'The price that a deposit or a withdrawal would have now; it reserves nothing.',
  'Criar conta para um cliente': 'Open an account for a customer',
  'Só com a chave de uma conta que tem permissão. A conta nasce no modo da chave, com KYC pendente.':
    'Only with the key of an account that may. The account has the key’s mode, and its KYC is pending.',
  'Consultar a conta': 'Get the account',
  'Cadastro, tarifas, operações ativas e webhooks da conta desta chave.':
    'Profile, fees, active operations and webhooks of this key’s account.',
  'Consultar limites': 'Get the limits',
  'Os limites da conta e quanto deles já foi usado hoje e nesta noite (horário de São Paulo).':
    'The account’s limits and how much of them has been used today and tonight (São Paulo’s time).',
};
