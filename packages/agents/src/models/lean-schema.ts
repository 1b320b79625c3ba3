import type { JSONSchema7 } from 'ai';

/** Words of a schema that tell a model nothing it could use: the version, and bounds that only a mistake would meet. */
const SILENT: ReadonlySet<string> = new Set(['$schema', 'minLength', 'maxLength', 'pattern']);

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

/** The largest and smallest whole numbers that JavaScript has, which zod writes for every integer. */
function isNoBound(word: string, value: unknown): boolean {
  return /^(maximum|minimum)$/.test(word) && !(Math.abs(Number(value)) < Number.MAX_SAFE_INTEGER);
}
