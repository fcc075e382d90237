import { describe, expect, test } from 'vitest';
import { createOriginRules } from './origin-rules.ts';

describe('an installation that others reach', () => {
  const { isAllowed } = createOriginRules('https://pay.example.com');

  test.each([
    ['pay.example.com', undefined],
    ['PAY.example.com', undefined],
    ['pay.example.com:443', undefined],
    ['pay.example.com', 'https://pay.example.com'],
  ])('accepts requests to its own address: %s, %s', (host, origin) => {
    expect(isAllowed({ host, origin })).toBe(true);
  });

  test.each([
    [undefined, undefined],
    ['', undefined],
    ['evil.example', undefined],
    ['pay.example.com.evil.example', undefined],
    ['evil.example/pay.example.com', undefined],
    ['evil@pay.example.com', undefined],
    ['pay.example.com:8443', undefined],
    ['pay.example.com, evil.example', undefined],
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['pay.example.com', 'https://evil.example'],
    ['pay.example.com', 'http://pay.example.com'],
    ['pay.example.com', 'https://pay.example.com/x'],
    ['pay.example.com', 'https://pay.example.com?x'],
    ['pay.example.com', 'https://pay.example.com@evil.example'],
    ['pay.example.com', 'null'],
    ['pay.example.com', ''],
    ['evil.example', 'https://evil.example'],
  ])('rejects requests to or from elsewhere: %s, %s', (host, origin) => {
    expect(isAllowed({ host, origin })).toBe(false);
  });
});

test('an installation at a loopback name accepts requests to each loopback name, with its port', () => {
  const { isAllowed } = createOriginRules('http://localhost:3000');
  for (const name of ['localhost', '127.0.0.1', '[::1]']) {
    expect(isAllowed({ host: `${name}:3000` })).toBe(true);
    expect(isAllowed({ host: `${name}:3000`, origin: `http://${name}:3000` })).toBe(true);
    expect(isAllowed({ host: `${name}:3001` })).toBe(false);
    expect(isAllowed({ host: name })).toBe(false);
  }
  expect(isAllowed({ host: '192.168.0.7:3000' })).toBe(false);
  expect(isAllowed({ host: 'localhost:3000', origin: 'http://localhost:3001' })).toBe(false);
});
