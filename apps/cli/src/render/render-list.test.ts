import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderList } from './render-list.ts';

it('shows every item with its lines below each other, and nothing that redraws them', () => {
  const items = ['The plan touches the build.', 'A line\nbroken \u001b[2Kin two'];
  expect(renderList({ title: 'Why you are asked', items }, withoutColour, 24)).toBe(
    'Why you are asked\n   - The plan touches\n     the build.\n   - A line\n     broken ␛[2Kin two',
  );
});

it('shows nothing of an empty list', () => {
  expect(renderList({ title: 'Risks', items: [] }, withoutColour, 80)).toBe('');
});
