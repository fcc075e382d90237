import { describe, expect, it } from 'vitest';
import { messages } from '#messages/messages.ts';
import { mergeTexts, pickTexts } from './pick-texts.ts';

const ALL = messages['pt-BR'];

describe('the texts of a page', () => {
  it('are those below the paths, each where it was', () => {
    const picked = pickTexts(ALL, ['panel.sandbox.bar', 'panel.keys', 'error']);
    expect(picked).toEqual({
      panel: { sandbox: { bar: ALL.panel.sandbox.bar }, keys: ALL.panel.keys },
      error: ALL.error,
    });
  });

  it('join those of the frame, also in groups that both have', () => {
    const frame = pickTexts(ALL, ['panel.shell', 'panel.sandbox.bar']);
    const page = pickTexts(ALL, ['panel.sandbox']);
    expect(mergeTexts(frame, page)).toEqual({ panel: { shell: ALL.panel.shell, sandbox: ALL.panel.sandbox } });
    expect(frame).toEqual(pickTexts(ALL, ['panel.shell', 'panel.sandbox.bar']));
  });
});
