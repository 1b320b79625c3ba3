import { expect, it } from 'vitest';
import { renderRotation } from './render-database.ts';

const report = {
  key: 'b',
  other_keys: ['a'],
  codehost_grants: 2,
  repo_access_tokens: 1,
  notification_secrets: 3,
  notification_urls: 2,
  second_factors: 0,
  unreadable: 0,
  audit_refused: null,
};

it.each([
  [
    report,
    'Re-encrypted with the key "b": 2 code host tokens, 1 repository token, 3 notification secrets, 2 notification URLs, 0 authenticator apps.\nNo secret uses "a" any more: remove it from ENCRYPTION_KEYS.',
  ],
  [
    {
      ...report,
      other_keys: [],
      codehost_grants: 0,
      repo_access_tokens: 0,
      notification_secrets: 1,
      notification_urls: 0,
      second_factors: 0,
    },
    'Re-encrypted with the key "b": 0 code host tokens, 0 repository tokens, 1 notification secret, 0 notification URLs, 0 authenticator apps.',
  ],
])('counts the re-encrypted secrets, and names the keys to remove', (given, text) => {
  expect(renderRotation(given)).toBe(text);
});

it('suggests removing no key while a secret cannot be decrypted', () => {
  const text = renderRotation({ ...report, unreadable: 3 });
  expect(text).toContain('3 secrets could not be decrypted');
  expect(text).not.toContain('remove it');
});

it('suggests removing no key while the audit log is not sealed with the new one', () => {
  const text = renderRotation({ ...report, audit_refused: 'Seal 7 is missing.' });
  expect(text).toContain('Keep the old keys: the audit log was not sealed with the new one. Seal 7 is missing.');
  expect(text).not.toContain('remove it');
});
