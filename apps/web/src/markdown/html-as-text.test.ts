import { expect, it } from 'vitest';
import { htmlAsText } from './html-as-text.ts';

const html = (value: string) => ({ type: 'html', value });

it('turns HTML between words into text there, and HTML of its own into a paragraph', () => {
  const tree = {
    type: 'root',
    children: [html('<!-- hidden -->'), { type: 'paragraph', children: [{ type: 'text', value: 'a' }, html('<b>')] }],
  };
  htmlAsText()(tree);
  expect(tree.children).toEqual([
    { type: 'paragraph', children: [{ type: 'text', value: '<!-- hidden -->' }] },
    {
      type: 'paragraph',
      children: [
        { type: 'text', value: 'a' },
        { type: 'text', value: '<b>' },
      ],
    },
  ]);
});

it('finds it in lists and quotes', () => {
  const tree = { type: 'root', children: [{ type: 'blockquote', children: [html('<i>')] }] };
  htmlAsText()(tree);
  expect(tree.children[0]?.children).toEqual([{ type: 'paragraph', children: [{ type: 'text', value: '<i>' }] }]);
});
