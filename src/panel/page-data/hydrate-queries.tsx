'use client';

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

/** The result of a query that was read while the page was made. */
export type PrefetchedQuery = { query: string; input: unknown; data: unknown; list: true | undefined };

/** Puts the page's data into the cache, where its queries read it. */
export function HydrateQueries({ data, children }: { data: readonly PrefetchedQuery[]; children: ReactNode }) {
  const client = useQueryClient();
  useState(() => fill(client, data));
  return children;
}

function fill(client: QueryClient, reads: readonly PrefetchedQuery[]): void {
  for (const { query, input, list, data } of reads) {
    // The key that tRPC gives its queries.
    const key = [query.split('.'), { ...(input !== undefined && { input }), type: list ? 'infinite' : 'query' }];
    if (client.getQueryData(key) !== undefined) continue;
    // As old as the page, so that a later visit of it fetches the data again.
    client.setQueryData(key, data, { updatedAt: Math.floor(Date.now() - performance.now()) });
  }
}
