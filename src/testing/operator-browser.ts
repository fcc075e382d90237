import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import type { OperatorLogin } from '#services/operators/manage-operators.ts';
import { openBrowser, type PanelBrowser } from './panel-browser.ts';
import type { TestService } from './test-service.ts';

/** Opens a browser in which an operator has signed in to the console. */
export async function operatorBrowser(trilho: TestService, login: OperatorLogin): Promise<PanelBrowser> {
  const browser = openBrowser(trilho);
  const secret = new TextDecoder().decode(base32.decode(login.authenticatorKey));
  const code = await createOTP(secret).hotp(Math.floor(trilho.deps.clock().getTime() / STEP_MS));
  const answer = await browser.post('/operator/api/sign-in', { email: login.email, password: login.password, code });
  if (answer.status !== 200) throw new Error(`The operator's sign-in was answered ${answer.status}: ${answer.text}`);
  return browser;
}

/** RFC 6238. */
const STEP_MS = 30_000;
