import { SERVED_VERSIONS, VERSION_SERVED_MONTHS } from '#contract/api-version.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '#domain/webhooks/webhook-schedule.ts';
import { messages } from '#messages/messages.ts';
import { WEBHOOK_TIMEOUT_MS } from '#rails/webhooks/sender.ts';

/**
 * Relative, so that the same document is right wherever it is served: both prefixes lead to the
 * same operations.
 */
export const SERVERS = [
  { url: '/', description: 'Sem prefixo.' },
  { url: '/api', description: 'Com o prefixo /api: as mesmas operações.' },
] as const;

/**
 * In the document's order. What generators make names of is ASCII; readers see the other name
 * (Redocly's extension, which most readers of documents know).
 */
export const TAGS = Object.entries(messages['pt-BR'].docs.tags).map(([name, { name: displayName, description }]) => ({
  name,
  'x-displayName': displayName,
  description,
}));

export const DESCRIPTION = `API de pagamentos: PIX e criptomoedas, com um saldo só.

## Autenticação
Envie a chave da conta no cabeçalho \`x-api-key\`. Chaves \`tr_test_…\` usam só o sandbox e não movimentam dinheiro de verdade. Cada chave tem suas permissões e pode ter um prazo e uma lista de endereços IP: fora deles a resposta é 401 ou 403.

## Valores e datas
Valores em reais são números JSON com no máximo duas casas decimais; uma terceira é recusada, nunca arredondada. Quantidades de cripto têm até 8 casas. Datas são ISO 8601 em UTC, com milissegundos. O dia e a noite dos limites são os de São Paulo.

## Idempotência
Todo POST aceita o cabeçalho \`Idempotency-Key\`. A mesma chave com a mesma requisição devolve o mesmo status e o mesmo corpo, com \`Idempotent-Replayed: true\`, sem executar de novo (os segredos de POST /accounts, POST /webhook-endpoints e POST /webhook-endpoints/{endpointId}/rotate-secret só vêm na primeira resposta: depois são null); com outra requisição, 422; enquanto a primeira está em andamento, 409. Uma resposta que dependia do momento, como Saldo insuficiente, é lembrada: para tentar de novo, use outra chave. Uma requisição recusada na validação não é. As chaves valem por 30 dias em cada conta.

## Campos desconhecidos
Um campo ou parâmetro que a operação não tem é ignorado e apontado em \`warnings\`, com o nome parecido que talvez se quisesse enviar.

## Limites de requisições
Acima do limite por chave ou por endereço a resposta é 429 com \`Retry-After\`.

## Versão
Toda resposta traz \`x-api-version\`, e uma requisição pode pedir a sua no mesmo cabeçalho: este serviço atende ${SERVED_VERSIONS.join(', ')}; sem ele vale a mais antiga. Não mudam a versão: novas operações, novos campos opcionais nas requisições, novos membros nas respostas e nos eventos, novos tipos de evento e novos códigos de erro. Por isso, ignore os membros que não conhece. Mudam a versão: remover ou renomear o que existe, mudar um tipo, tornar obrigatório um campo opcional e mudar uma mensagem do contrato. Uma versão é atendida por pelo menos ${VERSION_SERVED_MONTHS} meses depois que a seguinte começa.

## Webhooks
As mudanças de status são enviadas por POST à \`callbackUrl\` da cobrança ou ao webhook da conta, assinadas por [Standard Webhooks](https://www.standardwebhooks.com). Responda com um status 2xx em até ${WEBHOOK_TIMEOUT_MS / 1000} segundos; senão o evento é enviado de novo, com o mesmo \`webhook-id\`, até ${WEBHOOK_ATTEMPTS_MAX} vezes. Responder 410 desativa o webhook, e cinco dias sem que nada chegue, em produção, também: o que acontece enquanto isso fica retido, e é enviado quando você pedir (veja Eventos).
`;
