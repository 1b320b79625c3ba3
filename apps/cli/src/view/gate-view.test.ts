import { expect, it } from 'vitest';
import { renderGate } from './gate-view.ts';
import { withoutColour } from './style.ts';

it('shows every reason on a line of its own, and nothing that redraws it', () => {
  const reasons = ['The plan touches the build.', 'A line\nbroken \u001b[2Kin two'];
  expect(renderGate({ reasons }, withoutColour)).toBe(
    'Why you are asked\n   - The plan touches the build.\n   - A line broken ␛[2Kin two',
  );
});
