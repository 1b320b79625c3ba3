import { expect, it } from 'vitest';
import { canonicalJson, storableJson, storableText } from './storable-text.ts';

it('removes NUL and lone surrogates from text, and can keep positions', () => {
  expect(storableText('a\0b\uD800c😀')).toBe('ab\uFFFDc😀');
  expect(storableText('a\0b', '\u{FFFD}')).toBe('a\uFFFDb');
});

it('cleans every string and key of a value, and drops what JSON drops', () => {
  expect(storableJson({ 'k\0': ['a\0', 1, null, { deep: '\uDC00', gone: undefined }] })).toEqual({
    k: ['a', 1, null, { deep: '\uFFFD' }],
  });
});

it('gives equal values one JSON text, whatever the order of their keys', () => {
  const one = { b: [1, 'x\0'], a: { d: new Date('2026-11-22T10:00:00+01:00'), c: Uint8Array.of(1, 2) } };
  const other = { a: { c: Uint8Array.of(1, 2), d: new Date('2026-11-22T09:00:00Z') }, b: [1, 'x'] };
  expect(canonicalJson(one)).toBe(canonicalJson(other));
  expect(canonicalJson(one)).toBe('{"a":{"c":"AQI=","d":"2026-11-22T09:00:00.000Z"},"b":[1,"x"]}');
  expect(canonicalJson({ list: [undefined, Number.NaN], gone: undefined })).toBe('{"list":[null,"NaN"]}');
});
