import { AppError } from '@sluice/core';

/**
 * What the code host has against an account whose token a git call was made with. Null when what git said is no refusal
 * of that kind. A retry cannot help: the user has to act at the code host, or link the account again.
 */
export function accountRefusal(stderr: string, cause?: unknown): AppError | null {
  if (/Permission to \S+ denied to|protected by organization SAML|enforced SAML SSO/i.test(stderr)) {
    const isSso = /SAML/i.test(stderr);
    return new AppError(
      isSso ? 'codehost_relink_needed' : 'codehost_forbidden',
      {
        detail: isSso
          ? 'The organization of this repository asks for its single sign-on: link your account at the code host again, and go through it there.'
          : 'Your account at the code host may not push to this repository: ask its owner for write access, then retry.',
      },
      { cause },
    );
  }
  if (/repository '?.*'? not found|returned error: 404/i.test(stderr)) {
    return new AppError(
      'codehost_not_found',
      { detail: 'The code host has no such repository, or does not show it to your account.' },
      { cause },
    );
  }
  if (!/returned error: 40[13]|Authentication failed|could not read (Username|Password)|Access denied/i.test(stderr)) {
    return null;
  }
  return new AppError(
    'codehost_relink_needed',
    {
      detail:
        'The code host does not take your token for this repository any more: link your account there again, then retry.',
    },
    { cause },
  );
}
