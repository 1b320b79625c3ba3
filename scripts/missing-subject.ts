// Docstrings, and the descriptions in the document of the API, are read without the code around them: each needs a subject.
import type { Comment } from 'oxc-parser';

type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function faultOfBeginning(text: string): string | null {
  const word = /^(Of|That|Those|As)\b/.exec(text)?.[1];
  return word === undefined ? null : `begins with "${word}", so a reader must guess its subject; name it`;
}

/** A docstring, or the first line of a comment that stands alone, needs a subject. */
export function faultOfDocstring({ type, value }: Comment, lines: readonly string[], line: number): string | null {
  const isDocstring = type === 'Block' && value.startsWith('*');
  const standsAlone = /^\s*\/[/*]/.test(lines[line - 1] ?? '');
  const continues = type === 'Line' && /^\s*\/\//.test(lines[line - 2] ?? '');
  if (!isDocstring && (!standsAlone || continues)) return null;
  return faultOfBeginning(value.replace(/^[*\s]+/, ''));
}

/** The docstring of an export says what it is or does before its tags, which say the rest. */
export function faultOfTags({ type, value, end }: Comment, source: string): string | null {
  const tag = type === 'Block' ? /^\*[*\s]*@(param|returns|throws)\b/.exec(value)?.[1] : undefined;
  return tag === undefined || !/^\s*export\b/.test(source.slice(end))
    ? null
    : `begins with @${tag}; write a sentence before it, on what the export is or does`;
}

/** A description of the API needs a subject: the argument of `describe(…)`, and the members `description` and `summary`. */
export function faultOfDescription(node: Node): string | null {
  const described = node.type === 'CallExpression' ? argumentOfDescribe(node) : valueOfDescription(node);
  return faultOfBeginning(firstText(described));
}

function argumentOfDescribe({ callee, arguments: given }: Node): unknown {
  const name = isNode(callee) && callee.type === 'MemberExpression' ? callee.property : null;
  return isNode(name) && name.name === 'describe' ? (given as Node[])[0] : null;
}

function valueOfDescription(node: Node): unknown {
  if (node.type !== 'Property' || !isNode(node.key)) return null;
  return ['description', 'summary'].includes(String(node.key.name ?? node.key.value)) ? node.value : null;
}

/** The text that an expression begins with; empty where it begins with something else. */
function firstText(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'BinaryExpression') return firstText(node.left);
  if (node.type === 'TemplateLiteral') return (node.quasis as { value: { raw: string } }[])[0]?.value.raw ?? '';
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '';
}
