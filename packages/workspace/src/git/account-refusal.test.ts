import { expect, it } from 'vitest';
import { accountRefusal } from './account-refusal.ts';

it.each([
  ["fatal: Authentication failed for 'https://host/o/r.git/'", 'codehost_relink_needed'],
  ["fatal: could not read Username for 'https://host': terminal prompts disabled", 'codehost_relink_needed'],
  ["fatal: unable to access 'https://host/o/r/': The requested URL returned error: 403", 'codehost_relink_needed'],
  [
    "remote: Permission to o/r.git denied to somebody.\nfatal: unable to access 'https://host/o/r/': The requested URL returned error: 403",
    'codehost_forbidden',
  ],
  [
    "remote: The 'o' organization has enabled or enforced SAML SSO.\nfatal: The requested URL returned error: 403",
    'codehost_relink_needed',
  ],
  ["remote: Repository not found.\nfatal: repository 'https://host/o/r.git/' not found", 'codehost_not_found'],
  ["fatal: unable to access 'https://host/': Could not resolve host: host", undefined],
  ['fatal: the remote end hung up unexpectedly', undefined],
])('knows what the code host has against an account: %s', (stderr, code) => {
  expect(accountRefusal(stderr)?.code).toBe(code);
});
