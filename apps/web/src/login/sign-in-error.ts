/** What went wrong at the code host or an OpenID provider, by the code in the address that the server leads back to. */
const texts: Readonly<Record<string, string>> = {
  codehost_denied: 'The code host granted nothing, because the request was declined there. Try again and accept it.',
  codehost_state_invalid: 'This sign-in has expired or was begun in another browser. Start it again.',
  codehost_unavailable: 'The code host cannot be reached. Try again in a minute.',
  codehost_not_configured: 'This server has no code host. Log in in another way.',
  codehost_account_taken: 'This code host account is linked to another user here. Log in as them, or unlink it there.',
  codehost_linked_to_another: 'You have linked another code host account. Unlink it in the settings first.',
  oidc_denied: 'The sign-in was refused at the provider. Try again, or ask the people who run it for access.',
  oidc_state_invalid: 'This sign-in has expired, was used before or was begun in another browser. Start it again.',
  oidc_unavailable: 'The provider cannot be reached or failed. Try again in a minute.',
  oidc_token_invalid: 'The provider sent an answer that is not valid. The operator finds the reason in the log.',
  oidc_group_required: 'Your account at the provider is in no group that may use this server. Ask its operator.',
  oidc_account_taken: 'This account is linked to another user here. Log in as them, or unlink it there.',
  oidc_linked_to_another: 'You have linked another account at this provider. Unlink it in the settings first.',
  registration_closed: 'This server takes no new accounts. Ask its operator for one.',
  account_disabled: 'This account is disabled. Ask the operator of this server.',
  session_missing: 'Your session ended meanwhile. Log in and link the account again.',
};

export function signInError(code: string): string {
  return texts[code] ?? 'The sign-in failed. Try again; the operator finds the reason in the log.';
}
