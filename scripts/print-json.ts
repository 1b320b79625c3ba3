/**
 * Prints JSON for files whose changes are read: members of the outer objects on lines of their own, each with its value on
 * that line. A change of one thing is then a change of one line.
 *
 * @param levels objects whose members have lines of their own, counted from the outside
 */
export function printJson(value: unknown, levels: number): string {
  return `${printed(value, levels, '')}\n`;
}

function printed(value: unknown, levels: number, indent: string): string {
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const inner = `${indent} `;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${printed(member, levels - 1, inner)}`);
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}
