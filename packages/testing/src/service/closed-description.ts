type Node = Readonly<Record<string, unknown>>;

/**
 * An OpenAPI description in which objects have no other members than those that it names: for tests, which look for
 * answers that are not described. The description itself leaves its answers open for members of later versions.
 */
export function closedDescription<T>(description: T): T {
  return closed(description) as T;
}

function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const node: Node = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const isOpen = node.type === 'object' && node.properties !== undefined && node.additionalProperties === undefined;
  return isOpen ? { ...node, additionalProperties: false } : node;
}
