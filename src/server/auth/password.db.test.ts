import { hashPassword } from '@better-auth/utils/password';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replacePasswordHash } from '#db/members/members.ts';
import { PASSWORD_LENGTH_MAX } from '#domain/members/password.ts';
import { HASHES_WAITING_MAX, passwordHashing } from '#services/members/password-hashing.ts';
import { newEmail, openBrowser, openMember, PASSWORD } from '../../testing/panel-browser.ts';
import { atFullCost } from '../../testing/password-cost.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('a password', () => {
  // ASVS 6.2.8, 6.2.9
  test('is taken as it was typed: in another case, without its blanks or cut short it is another one', async () => {
    const { email, browser } = await openMember(service, newEmail());
    // As long as may be.
    const newPassword = `  Ação e Reação, ${'x'.repeat(110)} `;
    expect(newPassword).toHaveLength(PASSWORD_LENGTH_MAX);
    await browser.call('session.confirm', { password: PASSWORD });
    const changed = await browser.post('/api/auth/change-password', { currentPassword: PASSWORD, newPassword });
    expect(changed.status).toBe(200);
    const visitor = openBrowser(service);
    for (const other of [
      newPassword.toLowerCase(),
      newPassword.toUpperCase(),
      newPassword.trim(),
      newPassword.trimStart(),
      newPassword.trimEnd(),
      newPassword.replace('ç', 'c'),
      newPassword.slice(0, 72),
      newPassword.slice(0, -1),
    ])
      expect([other, (await visitor.signIn(email, other)).status]).toEqual([other, 401]);
    expect((await visitor.signIn(email, newPassword)).status).toBe(200);
  });
});

describe('guessing a password', () => {
  test('locks out an attacker who guesses, from anywhere, and never the member at a browser that they have used', async () => {
    const { email, browser } = await openMember(service, newEmail());
    await browser.post('/api/auth/sign-out', {});
    // The link signed them in without a password; now the browser is known.
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
    await browser.post('/api/auth/sign-out', {});
    const attacker = openBrowser(service);
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await attacker.signIn(email, `errada ${i} errada`)).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toEqual([429, 429]);
    // The right password does not get through from there either, while it does from their own
    // browser.
    expect((await attacker.signIn(email, PASSWORD)).status).toBe(429);
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
  });

  test('in large numbers is rejected beyond the queue, counts as no guess, and stops nothing else', async () => {
    const { email, browser } = await openMember(service, newEmail());
    const { apiKey } = await service.openAccount();
    let isOver = false;
    // As many as there is room for, and for each that is done another one at once.
    const hashing = async (): Promise<void> => {
      while (!isOver && (await passwordHashing.hash('x').catch(() => null)) !== null);
    };
    await atFullCost(async () => {
      const crowd = Array.from({ length: 2 + HASHES_WAITING_MAX }, hashing);
      for (let i = 0; i < 21; i++) {
        const rejected = await browser.signIn(email, PASSWORD);
        expect([rejected.status, rejected.text]).toEqual([429, expect.stringContaining('"seconds"')]);
      }
      // A charge looks names up and asks a provider, while passwords are being hashed.
      const charge = await service.post('/payments/transactions', apiKey, { amount: 10 });
      expect(charge.status).toBe(200);
      isOver = true;
      await Promise.all(crowd);
    });
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200);
  });

  test.each(['\uff41na@example.com', '\u212aelvin@example.com', 'ana@example\uff0ecom'])(
    'for %j, which is no e-mail address, is answered 400, and so is a request for a new password',
    async (email) => {
      const browser = openBrowser(service);
      expect((await browser.signIn(email, PASSWORD)).status).toBe(400);
      expect((await browser.post('/api/auth/request-password-reset', { email })).status).toBe(400);
    },
  );

  test('is answered alike for a login that exists and one that does not', async () => {
    const { email } = await openMember(service, newEmail());
    const known = await openBrowser(service).signIn(email, 'errada errada errada');
    const unknown = await openBrowser(service).signIn('ninguem@example.com', 'errada errada errada');
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
  });
});

describe('a password that was hashed by scrypt before', () => {
  const hashOf = async (email: string) => {
    const { rows } = await service.deps.db.pool.query<{ password: string }>(
      'SELECT password FROM logins l JOIN members m ON m.id = l.member_id WHERE email = $1',
      [email],
    );
    return rows[0]?.password ?? '';
  };
  const openOldMember = async () => {
    const { email } = await openMember(service, newEmail());
    const old = await hashPassword(PASSWORD);
    await service.deps.db.pool.query(
      'UPDATE logins SET password = $2 FROM members m WHERE m.id = member_id AND email = $1',
      [email, old],
    );
    return { email, old };
  };

  test('signs its member in, and is hashed by argon2id from then on', async () => {
    const { email, old } = await openOldMember();
    expect((await openBrowser(service).signIn(email, 'outra frase, de um estranho')).status).toBe(401);
    expect(await hashOf(email)).toBe(old);
    expect((await openBrowser(service).signIn(email, PASSWORD)).status).toBe(200);
    const renewed = await hashOf(email);
    expect(renewed).toMatch(/^\$argon2id\$/);
    expect((await openBrowser(service).signIn(email, PASSWORD)).status).toBe(200);
    expect(await hashOf(email)).toBe(renewed);
  });

  test('is not brought back where it is changed while it is hashed again', async () => {
    const { email, old } = await openOldMember();
    const changed = await hashPassword('uma frase nova');
    await replacePasswordHash(service.deps.db, email, { from: old, to: changed });
    await replacePasswordHash(service.deps.db, email, { from: old, to: await passwordHashing.hash(PASSWORD) });
    expect(await hashOf(email)).toBe(changed);
  });

  test('signs its member in where it can’t be hashed again now', async () => {
    const { email, old } = await openOldMember();
    const { hash } = passwordHashing;
    passwordHashing.hash = () => Promise.reject(new Error('No place is free.'));
    const answer = await openBrowser(service)
      .signIn(email, PASSWORD)
      .finally(() => Object.assign(passwordHashing, { hash }));
    expect([answer.status, await hashOf(email)]).toEqual([200, old]);
  });
});
