import type { Permission } from '#domain/api-keys/permissions.ts';

/** The languages in which a key's first request is shown, ready to be pasted. */
export const QUICK_START_LANGUAGES = ['curl', 'node', 'python'] as const;
export type QuickStartLanguage = (typeof QUICK_START_LANGUAGES)[number];

/**
 * What a key's first request can be: a charge and its status where the key may do both, else the
 * most useful call that it may make. Every key may read its own account.
 */
export const QUICK_START_TASKS = ['charge_and_look', 'charge', 'transactions', 'balance', 'account'] as const;
export type QuickStartTask = (typeof QUICK_START_TASKS)[number];

/** Returns the task that is shown for a key with these permissions. */
export function taskFor(permissions: readonly Permission[]): QuickStartTask {
  const may = (permission: Permission) => permissions.includes(permission);
  if (may('charges:write')) return may('transactions:read') ? 'charge_and_look' : 'charge';
  if (may('transactions:read')) return 'transactions';
  return may('balance:read') ? 'balance' : 'account';
}

export type QuickStartPlace = {
  /** Scheme, host and port of this installation, without a slash at the end. */
  baseUrl: string;
  apiKey: string;
  /** What payers read of the charge; plain text without quotes. */
  description: string;
};

const PATHS = { transactions: '/payments/transactions?limit=5', balance: '/payments/balance', account: '/account' };

/** R$ 1,00: enough to see it, and in test mode no real money. */
const AMOUNT_BRL = 1;

/**
 * Returns a program for a language, to be pasted into a shell (curl) or saved and run (`.mjs` with
 * Node 18 or later, Python 3).
 */
export function quickStart(language: QuickStartLanguage, task: QuickStartTask, place: QuickStartPlace): string {
  return task === 'charge_and_look' || task === 'charge'
    ? CHARGES[language](place, task === 'charge_and_look')
    : READS[language](place, PATHS[task]);
}

const READS: Record<QuickStartLanguage, (place: QuickStartPlace, path: string) => string> = {
  curl: ({ baseUrl, apiKey }, path) => `curl '${baseUrl}${path}' \\\n  -H 'x-api-key: ${apiKey}'`,

  node: ({ baseUrl, apiKey }, path) => `const response = await fetch('${baseUrl}${path}', {
  headers: { 'x-api-key': '${apiKey}' },
});
console.log(response.status, await response.json());`,

  python: ({ baseUrl, apiKey }, path) => `import json
from urllib.request import Request, urlopen

request = Request("${baseUrl}${path}", headers={"x-api-key": "${apiKey}"})
print(json.load(urlopen(request)))`,
};

const CHARGES: Record<QuickStartLanguage, (place: QuickStartPlace, looks: boolean) => string> = {
  curl({ baseUrl, apiKey, description }, looks) {
    const charge = (keyHeader: string) => `curl -s '${baseUrl}/payments/transactions' \\
  -H ${keyHeader} \\
  -H 'Content-Type: application/json' \\
  -d '{"amount": ${AMOUNT_BRL}, "description": "${description}"}'`;
    if (!looks) return charge(`'x-api-key: ${apiKey}'`);
    return `KEY='${apiKey}'

ID=$(${charge('"x-api-key: $KEY"')} |
  tee /dev/stderr | sed 's/.*"transaction_id":"\\([^"]*\\)".*/\\1/')

curl "${baseUrl}/payments/transactions/$ID/status?type=pix_in" \\
  -H "x-api-key: $KEY"`;
  },

  node({ baseUrl, apiKey, description }, looks) {
    const charge = `const headers = { 'x-api-key': '${apiKey}', 'Content-Type': 'application/json' };

const created = await fetch('${baseUrl}/payments/transactions', {
  method: 'POST',
  headers,
  body: JSON.stringify({ amount: ${AMOUNT_BRL}, description: '${description}' }),
});
const charge = await created.json();
console.log(created.status, charge);`;
    if (!looks) return charge;
    return `${charge}

const id = charge.data.transaction_id;
const state = await fetch(\`${baseUrl}/payments/transactions/\${id}/status?type=pix_in\`, { headers });
console.log(state.status, await state.json());`;
  },

  python({ baseUrl, apiKey, description }, looks) {
    const charge = `import json
from urllib.request import Request, urlopen

headers = {"x-api-key": "${apiKey}", "Content-Type": "application/json"}

body = json.dumps({"amount": ${AMOUNT_BRL}, "description": "${description}"}).encode()
created = urlopen(Request("${baseUrl}/payments/transactions", body, headers))
charge = json.load(created)
print(created.status, charge)`;
    if (!looks) return charge;
    return `${charge}

id = charge["data"]["transaction_id"]
state = urlopen(Request(f"${baseUrl}/payments/transactions/{id}/status?type=pix_in", headers=headers))
print(state.status, json.load(state))`;
  },
};
