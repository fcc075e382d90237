import { REQUEST_METHODS, STATUS_CLASSES } from '#domain/requests/request-log.ts';

type Params = { get(name: string): string | null };

/** Which requests an address shows; what it says and nobody knows is as if it said nothing. */
export function readRequestFilters(params: Params) {
  const key = params.get('chave');
  return {
    keyId: key && /^[0-9a-f-]{36}$/i.test(key) ? key : null,
    method: REQUEST_METHODS.find((one) => one === params.get('metodo')) ?? null,
    status: STATUS_CLASSES.find((one) => one === params.get('status')) ?? null,
    text: params.get('texto') ?? '',
  };
}

/** The filters as requests.list takes them. */
export const requestsInput = ({ keyId, method, status, text }: ReturnType<typeof readRequestFilters>) => ({
  ...(keyId && { key_id: keyId }),
  ...(method && { method }),
  ...(status && { status }),
  ...(text && { text }),
});
