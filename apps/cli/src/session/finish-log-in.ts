import { isSluiceError, type Profile, type SluiceClient } from '@sluice/client';
import { askCode, askFor } from '../terminal/ask-credentials.ts';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

interface SecondStep {
  /** A code from `--code`; absent: asks for it. */
  readonly code?: string | undefined;
  readonly message: (line: string) => void;
}

/** What a password begins and a second factor completes, where the account has one. */
interface TwoSteps<T> {
  begin(): Promise<T>;
  finish(given: {
    readonly challenge: string;
    readonly second_factor: { readonly kind: 'totp' | 'recovery_code'; readonly code: string };
  }): Promise<T>;
  /** What to do with an account that has only passkeys. */
  readonly inBrowser: string;
}

/** Logs in by password, and where the account has a second factor with a code. @throws CommandError as `inTwoSteps` */
export async function logInWithCode(
  { auth }: Pick<SluiceClient, 'auth'>,
  credentials: { readonly email: string; readonly password: string },
  step: SecondStep,
): Promise<Profile> {
  const steps = {
    begin: () => auth.login.mutate(credentials),
    finish: auth.login.mutate,
    inBrowser: `Add an authenticator app in the settings of the console, or use ${ownCommand()} login --codehost.`,
  };
  return await inTwoSteps(steps, step);
}

/**
 * Does something by password, and where the account has a second factor with a code of the authenticator app or a recovery code.
 *
 * @throws CommandError when the account has only passkeys left, which need a browser, or there is no terminal to ask at
 */
export async function inTwoSteps<T>(
  { begin, finish, inBrowser }: TwoSteps<T>,
  { code, message }: SecondStep,
): Promise<T> {
  let body: Readonly<Record<string, unknown>>;
  try {
    return await begin();
  } catch (error) {
    if (!isSluiceError(error, 'second_factor_required')) throw error;
    body = error.body;
  }
  const challenge = String(body.challenge);
  const kinds: readonly unknown[] = Array.isArray(body.second_factors) ? body.second_factors : [];
  if (!kinds.includes('totp') && !kinds.includes('recovery_code')) {
    throw new CommandError(exitCode.notLoggedIn, `The account has only passkeys, which need a browser. ${inBrowser}`);
  }
  const question = kinds.includes('totp') ? 'Code of the authenticator app, or a recovery code' : 'Recovery code';
  for (;;) {
    const given = code ?? (await askFor('--code', () => askCode(question)));
    const kind = /^\d{3} ?\d{3}$/.test(given.trim()) ? 'totp' : 'recovery_code';
    try {
      return await finish({ challenge, second_factor: { kind, code: given } });
    } catch (error) {
      if (code !== undefined || !isSluiceError(error, 'second_factor_wrong')) throw error;
      message(error.detail);
    }
  }
}
