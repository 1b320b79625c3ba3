import { isSluiceError, type Profile, type SluiceClient } from '@sluice/client';
import { askCode, askFor } from '../terminal/ask-credentials.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

interface SecondStep {
  /** A code from `--code`; absent: asks for it. */
  readonly code?: string | undefined;
  readonly message: (line: string) => void;
}

/**
 * Logs in by password, and where the account has a second factor with a code of the authenticator app or a recovery code.
 *
 * @throws CommandError when the account has only passkeys left, which need a browser, or there is no terminal to ask at
 */
export async function logInWithCode(
  { auth }: Pick<SluiceClient, 'auth'>,
  credentials: { readonly email: string; readonly password: string },
  { code, message }: SecondStep,
): Promise<Profile> {
  let body: Readonly<Record<string, unknown>>;
  try {
    return await auth.login.mutate(credentials);
  } catch (error) {
    if (!isSluiceError(error, 'second_factor_required')) throw error;
    body = error.body;
  }
  const challenge = String(body.challenge);
  const kinds: readonly unknown[] = Array.isArray(body.second_factors) ? body.second_factors : [];
  if (!kinds.includes('totp') && !kinds.includes('recovery_code')) {
    throw new CommandError(
      exitCode.notLoggedIn,
      `The account has only passkeys, which need a browser. Add an authenticator app in the settings of the console, or use ${ownCommand()} login --codehost.`,
    );
  }
  const question = kinds.includes('totp') ? 'Code of the authenticator app, or a recovery code' : 'Recovery code';
  for (;;) {
    const given = code ?? (await askFor('--code', () => askCode(question)));
    const kind = /^\d{3} ?\d{3}$/.test(given.trim()) ? 'totp' : 'recovery_code';
    try {
      return await auth.login.mutate({ challenge, second_factor: { kind, code: given } });
    } catch (error) {
      if (code !== undefined || !isSluiceError(error, 'second_factor_wrong')) throw error;
      message(error.detail);
    }
  }
}
