import type { Gate } from '@sluice/core';
import { plainLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderList } from './render-list.ts';

/** Renders why a decision is required, and at the publish gate the commit that would be pushed. */
export function renderGate({ reasons, head_commit }: Gate, style: Style, width: number): string {
  const why = renderList({ title: 'Why this needs approval', items: reasons }, style, width);
  return head_commit === null ? why : `${why}\n\n${style('bold', 'Commit')}   ${plainLine(head_commit)}`;
}
