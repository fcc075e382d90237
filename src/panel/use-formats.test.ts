import { NextIntlClientProvider } from 'next-intl';
import { type ComponentProps, createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { messages } from '#messages/messages.ts';
import { timeZone } from './create-formats.ts';
import { useFormats } from './use-formats.ts';

type Provider = ComponentProps<typeof NextIntlClientProvider>;

const ROWS = 50;
const { NumberFormat, DateTimeFormat } = Intl;

afterEach(() => Object.assign(Intl, { NumberFormat, DateTimeFormat }));

test('a page of fifty rows makes a formatter once for each form, not once for each cell', () => {
  const made = { number: 0, time: 0 };
  Object.assign(Intl, {
    NumberFormat: class extends NumberFormat {
      constructor(...options: ConstructorParameters<typeof NumberFormat>) {
        super(...options);
        made.number++;
      }
    },
    DateTimeFormat: class extends DateTimeFormat {
      constructor(...options: ConstructorParameters<typeof DateTimeFormat>) {
        super(...options);
        made.time++;
      }
    },
  });
  const Row = () => {
    const { reais, instant } = useFormats();
    return createElement('p', null, `${reais(100.5)} ${instant('2026-11-20T17:05:00Z')}`);
  };
  const children = Array.from({ length: ROWS }, (_, key) => createElement(Row, { key }));
  const props = { locale: 'pt-BR', timeZone, messages: messages['pt-BR'] } as Provider;
  const inside = (within: ReactNode) => createElement(NextIntlClientProvider, props, within);
  // As on a page: its own texts inside those of the frame.
  const page = renderToString(inside(inside(children)));
  expect(page.split('<p>R$\u00a0100,50 20/11/2026 14:05</p>')).toHaveLength(ROWS + 1);
  expect(made).toEqual({ number: 1, time: 2 });
});
