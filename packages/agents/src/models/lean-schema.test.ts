import { asSchema } from 'ai';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { leanSchema } from './lean-schema.ts';

const asTold = async (schema: z.ZodType) => leanSchema(await asSchema(schema).jsonSchema);

it('keeps what a model needs of a tool: names, types, descriptions, choices, what is required, upper bounds', async () => {
  const schema = z.strictObject({
    path: z.string().min(1).max(200).regex(/^a/).describe('A path.'),
    kind: z.enum(['a', 'b']),
    line: z.int().min(1).optional(),
    limit: z.int().min(1).max(50).optional(),
    ran: z.array(z.strictObject({ command: z.string().min(1) })).max(3),
  });
  expect(await asTold(schema)).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', description: 'A path.' },
      kind: { type: 'string', enum: ['a', 'b'] },
      line: { type: 'integer' },
      limit: { type: 'integer', maximum: 50 },
      ran: {
        type: 'array',
        maxItems: 3,
        items: {
          type: 'object',
          properties: { command: { type: 'string' } },
          required: ['command'],
        },
      },
    },
    required: ['path', 'kind', 'ran'],
  });
});

it('keeps a property that is named like a word of schemas, and looks into alternatives', async () => {
  const either = z.union([z.string().max(9), z.array(z.number())]);
  const { properties } = await asTold(z.strictObject({ pattern: z.string().max(9), maxLength: either }));
  expect(properties).toEqual({
    pattern: { type: 'string' },
    maxLength: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] },
  });
});
