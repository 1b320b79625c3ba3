/** A node of Markdown's syntax tree, as far as it matters here. */
interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
}

const PHRASING: ReadonlySet<string> = new Set([
  'paragraph',
  'heading',
  'emphasis',
  'strong',
  'delete',
  'link',
  'tableCell',
]);

/**
 * A plugin of remark: HTML becomes the text that it is written as. Left to the sanitizer it would vanish, comments too, and
 * a person would approve a text of which an agent reads more than they do.
 */
export function htmlAsText(): (tree: MarkdownNode) => void {
  return toText;
}

function toText(node: MarkdownNode): void {
  if (node.children === undefined) return;
  node.children = node.children.map((child) => {
    if (child.type !== 'html') {
      toText(child);
      return child;
    }
    const text: MarkdownNode = { type: 'text', value: child.value ?? '' };
    return PHRASING.has(node.type) ? text : { type: 'paragraph', children: [text] };
  });
}
