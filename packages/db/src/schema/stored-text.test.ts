import { storableText } from '@sluice/core/text';
import { describe, expect, it } from 'vitest';
import { storedJson } from './stored-text.ts';

describe('text on its way into the database', () => {
  it('loses NUL and halves of surrogate pairs and nothing else', () => {
    expect(storableText('a\0b\ud83d c\udc00 \u{1f600}\t\u0001')).toBe('ab\ufffd c\ufffd \u{1f600}\t\u0001');
  });

  it('is cleaned in every string and key of a document', () => {
    const dirty = { 'k\0': ['\ud800', { deep: 'x\0' }], n: 1, none: null, yes: true };
    expect(JSON.parse(storedJson(dirty))).toEqual({ k: ['\ufffd', { deep: 'x' }], n: 1, none: null, yes: true });
  });

  it('keeps what only looks like an escape', () => {
    const text = { shown: '\\u0000 and \\ud800' };
    expect(JSON.parse(storedJson(text))).toEqual(text);
  });

  it('takes what JSON makes of dates', () => {
    expect(storedJson({ at: new Date(0), nul: '\0' })).toBe('{"at":"1970-01-01T00:00:00.000Z","nul":""}');
  });
});
