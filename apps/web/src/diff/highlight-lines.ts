import type { createLowlight } from 'lowlight';

/** The groups of tokens that have a look of their own. Everything else is plain. */
export const tokenGroups = ['keyword', 'string', 'number', 'comment', 'title', 'type', 'attribute', 'meta'] as const;

const groupByScope: Readonly<Record<string, (typeof tokenGroups)[number]>> = {
  keyword: 'keyword',
  'selector-tag': 'keyword',
  operator: 'keyword',
  literal: 'number',
  number: 'number',
  bullet: 'number',
  symbol: 'number',
  string: 'string',
  regexp: 'string',
  code: 'string',
  char: 'string',
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  title: 'title',
  section: 'title',
  name: 'title',
  'selector-class': 'title',
  'selector-id': 'title',
  type: 'type',
  built_in: 'type',
  class: 'type',
  attr: 'attribute',
  attribute: 'attribute',
  property: 'attribute',
  variable: 'attribute',
  'template-variable': 'attribute',
  meta: 'meta',
};

type Node = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number];

/** The tokens of some lines that stand below one another in a file: start, end and group of each, one after the other. */
export function highlightLines(
  lowlight: ReturnType<typeof createLowlight>,
  language: string,
  lines: readonly string[],
): number[][] {
  const tokens: number[][] = lines.map(() => []);
  let line = 0;
  let column = 0;
  const add = (text: string, group: number | null) => {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) {
        line += 1;
        column = 0;
      }
      if (group !== null && part !== '') tokens[line]?.push(column, column + part.length, group);
      column += part.length;
    }
  };
  const walk = (node: Node, group: number | null) => {
    if (node.type === 'text') add(node.value, group);
    else if (node.type === 'element') for (const child of node.children) walk(child, groupOf(node.properties) ?? group);
  };
  for (const node of lowlight.highlight(language, lines.join('\n')).children) walk(node, null);
  return tokens;
}

function groupOf({ className }: { className?: unknown }): number | null {
  const scope = Array.isArray(className) ? String(className[0]).replace('hljs-', '') : '';
  const group = groupByScope[scope];
  return group === undefined ? null : tokenGroups.indexOf(group);
}
