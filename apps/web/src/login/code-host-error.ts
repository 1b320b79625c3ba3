/** What went wrong at the code host, by the code in the address that the server leads back to. */
const texts: Readonly<Record<string, string>> = {
  codehost_denied: 'The code host granted nothing, because the request was declined there. Try again and accept it.',
  codehost_state_invalid: 'This sign-in has expired or was begun in another browser. Start it again.',
  codehost_unavailable: 'The code host cannot be reached. Try again in a minute.',
  codehost_not_configured: 'This server has no code host. Log in with e-mail and password.',
  codehost_account_taken: 'This code host account is linked to another user here. Log in as them, or unlink it there.',
  codehost_linked_to_another: 'You have linked another code host account. Unlink it in the settings first.',
  registration_closed: 'This server takes no new accounts. Ask its operator for one.',
  account_disabled: 'This account is disabled. Ask the operator of this server.',
  session_missing: 'Your session ended meanwhile. Log in and link the account again.',
};

export function codeHostError(code: string): string {
  return texts[code] ?? 'The sign-in at the code host failed. Try again; the operator finds the reason in the log.';
}
