import { expect, it } from 'vitest';
import { printSchema } from './print-schema.ts';

it.each<[string, unknown]>([
  ['any', {}],
  ['string', { type: 'string', description: 'A name.', example: 'Ada' }],
  ['string | null(maxLength 3)', { type: ['string', 'null'], maxLength: 3 }],
  ['"on" | "off"', { type: 'string', enum: ['on', 'off'] }],
  ['"on" | "off" | null', { type: ['string', 'null'], enum: ['on', 'off'] }],
  ['"on" | "off"(type number)', { type: 'number', enum: ['on', 'off'] }],
  ['Issue | null', { anyOf: [{ $ref: '#/components/schemas/Issue' }, { type: 'null' }] }],
  ['(string | null)[](maxItems 2)', { type: 'array', items: { type: ['string', 'null'] }, maxItems: 2 }],
  [
    '{a: 1, b?: {}[]}',
    { type: 'object', properties: { a: { type: 'number', const: 1 }, b: arrayOf({}) }, required: ['a'] },
  ],
  ['{...: none}', { type: 'object', properties: {}, additionalProperties: false }],
  [
    '{description: string, c: any}',
    { type: 'object', properties: { description: { type: 'string' } }, required: ['description', 'c'] },
  ],
])('prints %s', (text, schema) => {
  expect(printSchema(schema)).toBe(text);
});

function arrayOf(properties: object) {
  return { type: 'array', items: { type: 'object', properties } };
}
