import { isDeepStrictEqual } from 'node:util';
import { namedWords } from './named-schemas.ts';

type Node = Record<string, unknown>;

/** Formats that say what zod adds as a pattern of up to 256 characters. */
const formats: ReadonlySet<unknown> = new Set(['uuid', 'date-time', 'date']);
const LONG = 60;

/**
 * A part of the document without what zod adds and no reader needs: the patterns of known formats and the bounds of every
 * integer. Answers are not closed, because later versions may add members.
 */
export function plainSchema<T>(part: T, { isAnswer }: { isAnswer: boolean }): T {
  return plain(part, isAnswer) as T;
}

function plain(part: unknown, isAnswer: boolean): unknown {
  if (Array.isArray(part)) return part.map((one) => plain(one, isAnswer));
  if (typeof part !== 'object' || part === null) return part;
  const node: Node = { ...part };
  if (formats.has(node.format) && String(node.pattern ?? '').length > LONG) delete node.pattern;
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
  if (isDeepStrictEqual(node.propertyNames, { type: 'string' })) delete node.propertyNames;
  if (isDeepStrictEqual(node.additionalProperties, {})) node.additionalProperties = true;
  if (isAnswer && node.additionalProperties === false) delete node.additionalProperties;
  const members = Object.entries(node).map(([name, value]) => [
    name,
    // Examples are no schemas, though they may look like some.
    name === 'example' || name === 'examples' || name === 'default' ? value : plain(value, isAnswer),
  ]);
  return isAnswer ? named(Object.fromEntries(members)) : Object.fromEntries(members);
}

/** Refers to the words that have a name. */
function named(node: Node): Node {
  const name = Object.entries(namedWords).find(([, words]) => isDeepStrictEqual(node.enum, [...words]))?.[0];
  if (name === undefined) return node;
  const { type, enum: _, ...rest } = node;
  return { $ref: `#/components/schemas/${name}`, ...rest };
}
