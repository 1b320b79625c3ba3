import type { JSONSchema7 } from 'ai';

/**
 * Words of a schema that tell a model nothing it could use: the version, bounds that only a mistake would meet, and that
 * there are no other inputs: the tools ignore those, and say so.
 */
const SILENT: ReadonlySet<string> = new Set([
  '$schema',
  'minLength',
  'maxLength',
  'minimum',
  'pattern',
  'additionalProperties',
]);

/**
 * The schema of a tool as a model is told it. Every request carries the schemas of all tools, so what only a check needs
 * is left out; the tool itself still checks it, and says what is wrong.
 */
export function leanSchema(schema: JSONSchema7): JSONSchema7 {
  const kept = Object.entries(schema).filter(([word, value]) => !SILENT.has(word) && !isNoBound(word, value));
  const lean: JSONSchema7 = Object.fromEntries(kept);
  if (lean.properties !== undefined) {
    lean.properties = Object.fromEntries(
      Object.entries(lean.properties).map(([name, property]) => [name, leanDefinition(property)]),
    );
  }
  if (lean.items !== undefined) {
    lean.items = Array.isArray(lean.items) ? lean.items.map(leanDefinition) : leanDefinition(lean.items);
  }
  if (lean.anyOf !== undefined) lean.anyOf = lean.anyOf.map(leanDefinition);
  return lean;
}

function leanDefinition(definition: JSONSchema7 | boolean): JSONSchema7 | boolean {
  return typeof definition === 'boolean' ? definition : leanSchema(definition);
}

/** The largest whole number that JavaScript has, which zod writes for every integer. */
function isNoBound(word: string, value: unknown): boolean {
  return word === 'maximum' && !(Number(value) < Number.MAX_SAFE_INTEGER);
}
