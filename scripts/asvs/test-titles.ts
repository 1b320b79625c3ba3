import { parseSync } from 'oxc-parser';

type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const titling = new Set(['it', 'test', 'describe']);

/** The titles of the tests of a file, and of their groups, as the source has them: `%s` and `$name` stay. */
export function testTitles(path: string, source: string): ReadonlySet<string> {
  const titles = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!isNode(value)) return;
    if (value.type === 'CallExpression' && titling.has(String(calledFirst(value.callee)))) {
      const [title] = value.arguments as unknown[];
      if (isNode(title) && title.type === 'Literal' && typeof title.value === 'string') titles.add(title.value);
      else if (isNode(title) && title.type === 'TemplateLiteral') titles.add(templateText(title, source));
    }
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child);
  };
  visit(parseSync(path, source).program);
  return titles;
}

/** `it` of `it(…)`, `it.each(…)(…)` and `it.skipIf(…)(…)`. */
function calledFirst(callee: unknown): unknown {
  if (!isNode(callee)) return null;
  if (callee.type === 'CallExpression') return calledFirst(callee.callee);
  if (callee.type === 'MemberExpression') return calledFirst(callee.object);
  if (callee.type === 'TaggedTemplateExpression') return calledFirst(callee.tag);
  return callee.name;
}

/** A template with its expressions in source form: `${name} answers`. */
function templateText({ start, end }: Node, source: string): string {
  return source.slice(Number(start) + 1, Number(end) - 1);
}
