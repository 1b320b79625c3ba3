import * as z from 'zod';

/** What zod says of a schema as JSON Schema, and the name by which a type that is printed elsewhere is called. */
interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly description?: string;
  readonly named?: string;
}

export interface Printing {
  /** Whether callers send the value or receive it. */
  readonly io: 'input' | 'output';
  /** Schemas that have a type of their own. */
  readonly names?: ReadonlyMap<unknown, string>;
}

/** The TypeScript type of what a schema takes or gives, on its own. */
export function printType(schema: z.ZodType, { io, names = new Map() }: Printing): string {
  if (schema instanceof z.ZodVoid) return 'undefined';
  const shape = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const at: unknown = zodSchema;
      const name = at === schema ? undefined : names.get(at);
      if (name !== undefined) Object.assign(jsonSchema, { named: name });
      // What the document shows in place of the schema, such as a number for the digits of a query.
      const override = z.globalRegistry.get(at as z.ZodType)?.override;
      if (typeof override === 'function') override({ jsonSchema } as never);
    },
  });
  return typeOf(shape as Shape, io);
}

function typeOf(shape: Shape, io: Printing['io']): string {
  if (shape.named !== undefined) return shape.named;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum !== undefined) return union(shape.enum.map((value) => JSON.stringify(value)));
  const either = shape.anyOf ?? shape.oneOf;
  if (either !== undefined) return union(either.map((one) => typeOf(one, io)));
  if (shape.allOf !== undefined) return shape.allOf.map((one) => `(${typeOf(one, io)})`).join(' & ');
  if (Array.isArray(shape.type)) return union(shape.type.map((type) => typeOf({ ...shape, type }, io)));
  switch (shape.type) {
    case undefined:
      return 'unknown';
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${typeOf(shape.items ?? {}, io)}>`;
    case 'object':
      return objectType(shape, io);
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return shape.type;
    default:
      throw new Error(`There is no TypeScript for the JSON Schema type ${shape.type}.`);
  }
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

function objectType({ properties = {}, required = [], additionalProperties }: Shape, io: Printing['io']): string {
  // JSON has no undefined, so an answer has none either.
  const absent = io === 'input' ? ' | undefined' : '';
  const members = Object.entries(properties).map(([name, shape]) => {
    const comment = shape.description === undefined ? '' : `/** ${shape.description.replaceAll('*/', '* /')} */\n`;
    const type = typeOf(shape, io);
    return `${comment}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? `: ${type}` : `?: ${type}${absent}`};`;
  });
  const rest = typeof additionalProperties === 'object' ? typeOf(additionalProperties, io) : null;
  if (members.length === 0) return `Record<string, ${rest ?? 'never'}>`;
  // What is known stands under its own type, so the others can be said to be nothing closer.
  if (rest !== null) members.push('[key: string]: unknown;');
  return `{\n${members.join('\n')}\n}`;
}
