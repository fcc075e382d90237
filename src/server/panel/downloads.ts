import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError } from '#domain/errors.ts';
import type { Deps } from '#services/deps.ts';

export const createDownloads =
  (_deps: Deps) =>
  async (
    _req: IncomingMessage,
    _res: ServerResponse,
    _request: { path: string; query: URLSearchParams; accountId: string; language: 'pt-BR' | 'en' },
  ): Promise<void> => {
    throw new DomainError('route_not_found');
  };
