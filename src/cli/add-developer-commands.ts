import type { Command } from 'commander';
import { processEnvironment } from '#config/environment.ts';
import { CommandError } from './context.ts';
import { type ApiClient, ApiUnavailable, openApiClient } from './developer/api-client.ts';
import { endOfEvents, followEvents, type ListedEvent } from './developer/follow-events.ts';
import { forwardEvent } from './developer/forward-event.ts';
import { openListenerState } from './developer/open-listener-state.ts';
import { RECIPES } from './developer/recipes.ts';
import { onInterruption } from './on-interruption.ts';
import { print } from './print.ts';
import { readInstant } from './read-instant.ts';

type ListenOptions = { forward?: string; events?: string; since?: Date; fresh?: boolean; json?: boolean };

/** The longest recipe waits for the sandbox's payer and its network's confirmations. */
const EVENT_WITHIN_MS = 60_000;
const POLL_MS = 500;

/**
 * Adds the commands of integrators' developers: listen, trigger. They use the REST API of a test
 * account and nothing else, so that they work from any machine.
 */
export function addDeveloperCommands(program: Command): void {
  program
    .command('listen')
    .description('follow the events of a test account (TRILHO_API_KEY), and forward them to a program on this machine')
    .option('--forward <url>', 'post each event there, signed, e.g. http://localhost:4000/webhooks')
    .option('--events <types>', 'only these, separated by commas, e.g. pix_in.paid,pix_out.paid')
    .option('--since <instant>', 'begin there, e.g. 2026-11-24T12:00:00Z', readInstant)
    .option('--fresh', 'begin now, without what happened since the last time')
    .option('--json', 'a line of JSON for each event')
    .action(listen);

  program
    .command('trigger [event]')
    .description('make an event happen on a test account (TRILHO_API_KEY); without one: which there are')
    .option('--json', 'answer in JSON')
    .action(async (type: string | undefined, { json }: { json?: boolean }) => {
      if (type === undefined) {
        const events = Object.entries(RECIPES).map(([event, { about }]) => ({ event, about }));
        print(json, events, () => events.map(({ event, about }) => `${event.padEnd(22)}  ${about}`));
        return;
      }
      const recipe = Object.hasOwn(RECIPES, type) ? RECIPES[type] : undefined;
      if (!recipe) throw new CommandError(`"${type}" can't be triggered: "trilho trigger" lists what can.`);
      const api = openApiClient();
      const event = await eventOf(api, await recipe.run(api, untilStatus(api)), type);
      print(json, event, () => [`${event.type}  ${event.event_id}  transaction ${event.transaction_id}`]);
    });
}

async function listen({ forward, events, since, fresh, json }: ListenOptions): Promise<void> {
  if (forward !== undefined && !(URL.canParse(forward) && /^https?:/i.test(forward))) {
    throw new CommandError('Give --forward an http or https address, such as http://localhost:4000/webhooks.');
  }
  const api = openApiClient();
  const state = openListenerState(processEnvironment().home, api);
  const end = new AbortController();
  const release = onInterruption(() => end.abort());
  const say = (line: string) => console.error(line);
  const stored = fresh ? null : state.position;
  const from = since === undefined ? (stored ?? (await endOfEvents(api))) : { since: since.toISOString(), seen: [] };
  say(`Following the events of ${api.base}${stored && since === undefined ? ', from where it was left' : ''}.`);
  if (forward !== undefined) say(`Forwarding to ${forward}, signed with ${state.secret}`);
  const following = followEvents(api, {
    ...{ from, signal: end.signal, save: state.save, say },
    types: events ?? null,
    async handle(event) {
      const forwarded = forward === undefined ? null : await forwardTo(api, forward, state.secret, event);
      print(json, { ...event, ...(forwarded && { forwarded }) }, () => [
        [event.created_at, event.type.padEnd(22), event.event_id, ...(forwarded ? [answerText(forwarded)] : [])].join(
          '  ',
        ),
      ]);
    },
  });
  await following.finally(release);
}

async function forwardTo(api: ApiClient, url: string, secret: string, { event_id: id }: ListedEvent) {
  const { data } = await api.get<{ data: { body: string } }>(`/events/${id}`);
  const { status, durationMs } = await forwardEvent(url, { secret, id, body: data.body });
  return { status, duration_ms: durationMs };
}

const answerText = ({ status, duration_ms: ms }: { status: number | null; duration_ms: number }): string =>
  status === null ? 'no answer' : `${status} in ${ms} ms`;

/** The event of a transaction, once it is there. Throws CommandError where it does not come. */
async function eventOf(api: ApiClient, transactionId: string, type: string): Promise<ListedEvent> {
  const found = await eventually(async () => {
    const { data } = await api.get<{ data: ListedEvent[] }>('/events', { transaction_id: transactionId, type });
    return data[0] ?? null;
  });
  if (!found) throw new CommandError(`${type} did not happen within a minute; see transaction ${transactionId}.`);
  return found;
}

const untilStatus = (api: ApiClient) => async (transactionId: string, status: string) => {
  const path = `/payments/transactions/${transactionId}`;
  const isThere = await eventually(async () => {
    const { data } = await api.get<{ data: { status: string } }>(path);
    return data.status === status || null;
  });
  if (!isThere) throw new CommandError(`Transaction ${transactionId} is not ${status} after a minute.`);
};

async function eventually<T>(ask: () => Promise<T | null>): Promise<T | null> {
  for (const end = Date.now() + EVENT_WITHIN_MS; Date.now() < end; ) {
    const found = await ask().catch((error: unknown) => {
      if (error instanceof ApiUnavailable) return null;
      throw error;
    });
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return null;
}
