import { expect, it } from 'vitest';
import { renderRotation } from './render-rotation.ts';

const report = { key: 'b', other_keys: ['a'], codehost_grants: 2, repo_access_tokens: 1, unreadable: 0 };

it.each([
  [
    report,
    'Sealed anew under the key "b": 2 grants of the code host, 1 repository token.\nNothing is left under "a": take it away.',
  ],
  [
    { ...report, other_keys: [], codehost_grants: 0, repo_access_tokens: 0 },
    'Sealed anew under the key "b": 0 grants of the code host, 0 repository tokens.',
  ],
])('says what was sealed, and which keys can go', (given, said) => {
  expect(renderRotation(given)).toBe(said);
});

it('does not say that a key can go while something cannot be opened', () => {
  const said = renderRotation({ ...report, unreadable: 3 });
  expect(said).toContain('3 secrets could not be opened');
  expect(said).not.toContain('take it away');
});
