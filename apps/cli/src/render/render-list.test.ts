import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderList } from './render-list.ts';

it('wraps every item, and escapes control characters', () => {
  const items = ['The plan touches the build.', 'A line\nbroken \u001b[2Kin two'];
  expect(renderList({ title: 'Why this needs approval', items }, withoutColour, 24)).toBe(
    'Why this needs approval\n   - The plan touches\n     the build.\n   - A line\n     broken ␛[2Kin two',
  );
});

it('renders an empty list as nothing', () => {
  expect(renderList({ title: 'Risks', items: [] }, withoutColour, 80)).toBe('');
});
