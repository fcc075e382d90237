import type { DemoLogins } from './demo-logins.ts';

/** Returns the text that a start prints when it is ready; `login` is null outside of a demo. */
export function banner(ready: {
  publicUrl: string;
  sandboxUrl: string | undefined;
  role: string;
  login: DemoLogins | null;
}): string {
  const { publicUrl, sandboxUrl, role, login } = ready;
  if (role === 'sandbox') {
    // Not under the public address of the web processes, which the environment of all may name.
    return `Trilho (sandbox) is ready: ${sandboxUrl}\n  Its credentials: npm run --silent trilho -- sandbox credentials`;
  }
  if (role !== 'all' && role !== 'web') return `Trilho (${role}) is ready.`;
  if (!login) {
    return `Trilho is ready: ${publicUrl}\n  Open an account: npm run --silent trilho -- account create --help`;
  }
  return `
Trilho is ready: ${publicUrl}

  Panel          ${publicUrl}
  Demo login     ${login.email}   ${login.password}
  Test API key   ${login.api_key}
  Console        ${publicUrl}/operator
  Operator       ${login.operator.email}   ${login.operator.password}   key ${login.operator.authenticator_key}

Create a PIX charge, and watch it appear in the panel:

  curl -s ${publicUrl}/payments/transactions \\
    -H 'x-api-key: ${login.api_key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"amount": 100.50, "description": "Pedido 42"}'

Then open ${publicUrl}/pay/TRANSACTION_ID and pay it: npm run --silent trilho -- sandbox pay TRANSACTION_ID
`;
}
