import { requestInput, requestListInput, requestListOutput, requestOutput } from '#contract/requests/requests.ts';
import { getRequest, listRequests } from '#services/requests/list-requests.ts';
import { encoded } from '../encoded.ts';
import { memberProcedure, router } from '../procedure.ts';

export const requestsRouter = router({
  list: memberProcedure
    .input(requestListInput)
    .output(encoded(requestListOutput))
    .query(async ({ ctx: { deps, principal }, input }) => {
      const { requests, nextCursor } = await listRequests(deps, principal.accountId, {
        keyId: input.key_id,
        method: input.method,
        statusClass: input.status,
        text: input.text,
        cursor: input.cursor,
        limit: input.limit,
      });
      return { requests: requests.map(present), next_cursor: nextCursor };
    }),

  get: memberProcedure
    .input(requestInput)
    .output(encoded(requestOutput))
    .query(async ({ ctx: { deps, principal }, input }) => {
      const request = await getRequest(deps, principal.accountId, input.id);
      return { ...present(request), request_body: request.requestBody, response_body: request.responseBody };
    }),
});

type Request = Awaited<ReturnType<typeof listRequests>>['requests'][number];

const present = (request: Request) => ({
  id: request.id,
  request_id: request.requestId,
  key_id: request.keyId,
  key_name: request.keyName,
  method: request.method,
  path: request.path,
  status: request.status,
  duration_ms: request.durationMs,
  at: request.at,
});
