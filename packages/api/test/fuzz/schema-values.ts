import fc from 'fast-check';

/** The parts of JSON Schema that requests are described with. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

export const KNOWN_EMAIL = 'known@example.com';
export const KNOWN_PASSWORD = 'a staple of batteries';

/** Values that mean something, for fields whose schema alone would hardly ever make one; «…» is filled in when sent. */
const meaningful: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  provider: fc.constant('company'),
  user_id: fc.constant('«other user»'),
  token_id: fc.constant('«own repo token»'),
  current_password: fc.constant(KNOWN_PASSWORD),
  user: fc.constantFrom(KNOWN_EMAIL, 'octocat', 'nobody@example.com'),
  repo_id: fc.constantFrom('«own repo»', '«own hosted repo»', '«other repo»'),
  url: fc.nat({ max: 1_000_000 }).map((number) => `https://example.test/acme/r${number}`),
  codehost_repo: fc.constantFrom('acme/anvil', 'acme/absent'),
  number: fc.constantFrom(7, 8, 9),
  base_branch: fc.constantFrom('main', 'next', 'absent'),
  default_branch: fc.constantFrom('main', 'next', 'absent'),
  email: fc.oneof(
    fc.constant(KNOWN_EMAIL),
    fc.nat({ max: 1_000_000 }).map((number) => `u${number}@example.com`),
  ),
  password: fc.constant(KNOWN_PASSWORD),
  revision: fc.constantFrom(1, 2),
  head_commit: fc.constant('a'.repeat(40)),
};

/** Values that a schema allows. */
export function valuesOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const known = meaningful[name];
  if (known !== undefined) return known;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valuesOf(one, name)));
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}), { maxLength: Math.min(schema.maxItems ?? 3, 3) });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: 0.01, max: 1_000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return textOf(schema);
  }
}

function textOf({ pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ unit: 'grapheme-ascii', minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, name)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true });
}
