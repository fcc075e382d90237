import type { AnyRouter } from '@trpc/server';
import { panelRouter } from '#server/procedures/panel-router.ts';
import type { ProcedureMeta } from '#server/procedures/procedure.ts';
import { restRouter } from '#server/procedures/rest-router.ts';
import type { Owned } from '../tenants.ts';
import { RULES, type Rule } from './rules.ts';

export type PanelOperation = { name: string; type: 'query' | 'mutation' | 'subscription'; rule: Rule };

export type RestOperation = {
  name: string;
  method: string;
  /** The crypto endpoints' errors have a body of their own. */
  isCrypto: boolean;
  rule: Rule;
  /** Path and body of a request that names these ids. */
  request(owned: Owned): { path: string; body: string | null };
};

type Defined = { _def: { type: PanelOperation['type']; meta?: ProcedureMeta } };

const proceduresOf = (router: AnyRouter) =>
  Object.entries(router._def.procedures as unknown as Record<string, Defined>).map(([name, { _def }]) => ({
    name,
    ..._def,
  }));

/** Every procedure of the panel's router. */
export const panelOperations = (): PanelOperation[] =>
  proceduresOf(panelRouter).map(({ name, type }) => ({ name, type, rule: ruleOf(name) }));

/** Every operation of the REST router. */
export const restOperations = (): RestOperation[] =>
  proceduresOf(restRouter).map(({ name, meta }) => {
    const rule = ruleOf(name);
    const { method, path: template } = meta?.openapi ?? { method: '', path: '' };
    return {
      name,
      method,
      isCrypto: meta?.rest?.crypto !== undefined,
      rule,
      request(owned) {
        const input: Record<string, unknown> = { ...rule.input(owned) };
        const path = template.replace(/\{(\w+)\}/g, (_, parameter: string) => {
          const value = encodeURIComponent(String(input[parameter]));
          delete input[parameter];
          return value;
        });
        if (method !== 'GET') return { path, body: JSON.stringify(input) };
        const query = new URLSearchParams(input as Record<string, string>).toString();
        return { path: query ? `${path}?${query}` : path, body: null };
      },
    };
  });

/**
 * The differences between the table of rules and the routers: a new procedure needs a decision
 * about who may call it.
 */
export function unruled(): string[] {
  const names = new Set([panelRouter, restRouter].flatMap((router) => proceduresOf(router).map(({ name }) => name)));
  return [
    ...[...names].filter((name) => !(name in RULES)).map((name) => `${name} has no rule`),
    ...Object.keys(RULES)
      .filter((name) => !names.has(name))
      .map((name) => `${name} has a rule and is no procedure`),
  ];
}

function ruleOf(name: string): Rule {
  // A procedure without a rule is reported, and meanwhile treated as one that needs a session.
  return RULES[name] ?? { who: 'member', input: () => ({}) };
}
