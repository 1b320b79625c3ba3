type Schema = Readonly<Record<string, unknown>>;

/** Members of a schema that say nothing about what fits it. */
const PROSE = new Set(['description', 'example', 'examples']);
const REFERENCE = /^#\/components\/(?:schemas|responses)\//;

/** Prints a schema as a type on one line. Whatever the notation has no form for stands behind it in round brackets. */
export function printSchema(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return JSON.stringify(schema);
  const { type, ...others } = schema as Schema;
  const { form, implied, rest } = formOf(others);
  const types = Array.isArray(type) ? (type as unknown[]) : [type];
  const [first, second] = types;
  if (form === null) return `${type === undefined ? 'any' : types.join(' | ')}${printNotes(rest)}`;
  if (first === implied && types.length === 1) return form + printNotes(rest);
  if (first === implied && second === 'null' && types.length === 2) return `${form} | null${printNotes(rest)}`;
  return form + printNotes({ type, ...rest });
}

/** Prints what has no form of its own, without prose. */
export function printNotes(rest: Schema): string {
  const notes = Object.entries(rest)
    .filter(([name]) => !PROSE.has(name))
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  return notes.length === 0 ? '' : `(${notes.join(', ')})`;
}

/** The name of a shared schema or response. */
export function printReference(reference: unknown): string {
  return String(reference).replace(REFERENCE, '');
}

interface Form {
  /** Null: there is only the type. */
  readonly form: string | null;
  /** The type that every value of this form has. */
  readonly implied: string | undefined;
  readonly rest: Schema;
}

function formOf(schema: Schema): Form {
  const { $ref, const: constant, enum: values, anyOf, oneOf, items, properties, ...rest } = schema;
  const kinds = [$ref, constant, values, anyOf, oneOf, items, properties].filter((one) => one !== undefined);
  if (kinds.length !== 1) return { form: null, implied: undefined, rest: schema };
  if ($ref !== undefined) return { form: printReference($ref), implied: undefined, rest };
  if (constant !== undefined) return { form: JSON.stringify(constant), implied: typeof constant, rest };
  if (items !== undefined) return { form: `${grouped(printSchema(items))}[]`, implied: 'array', rest };
  if (properties !== undefined) return objectForm(properties as Schema, rest);
  if (values !== undefined) {
    const words = values as readonly unknown[];
    return { form: words.map((word) => JSON.stringify(word)).join(' | '), implied: typeof words[0], rest };
  }
  const choices = ((anyOf ?? oneOf) as readonly unknown[]).map(printSchema);
  return { form: anyOf === undefined ? `oneOf(${choices.join(', ')})` : choices.join(' | '), implied: undefined, rest };
}

function objectForm(properties: Schema, { required = [], additionalProperties, ...rest }: Schema): Form {
  const names = required as readonly string[];
  const members = Object.entries(properties).map(
    ([name, schema]) => `${name}${names.includes(name) ? '' : '?'}: ${printSchema(schema)}`,
  );
  const undescribed = names.filter((name) => !Object.hasOwn(properties, name)).map((name) => `${name}: any`);
  const others = additionalProperties === undefined ? [] : [`...: ${othersOf(additionalProperties)}`];
  return { form: `{${[...members, ...undescribed, ...others].join(', ')}}`, implied: 'object', rest };
}

function othersOf(additionalProperties: unknown): string {
  if (typeof additionalProperties === 'boolean') return additionalProperties ? 'any' : 'none';
  return printSchema(additionalProperties);
}

function grouped(type: string): string {
  return / /.test(type) && !/^[{]/.test(type) ? `(${type})` : type;
}
