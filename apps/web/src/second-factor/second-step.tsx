import { isSluiceError } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, fieldText } from '../ui/form.tsx';
import { signWithPasskey } from './browser-passkeys.ts';
import { FaultNotice } from './fault-notice.tsx';

/** A login, or something else that a password began, whose password was right. */
export interface OpenLogin {
  readonly challenge: string;
  readonly kinds: readonly string[];
  readonly passkeyOptions: object | null;
}

/** The login that the server wants a second factor for; null for any other error. */
export function openLoginOf(error: unknown): OpenLogin | null {
  if (!isSluiceError(error, 'second_factor_required')) return null;
  const { challenge, second_factors: kinds, passkey_options: options } = error.body;
  return {
    challenge: String(challenge),
    kinds: Array.isArray(kinds) ? kinds.map(String) : [],
    passkeyOptions: typeof options === 'object' ? options : null,
  };
}

type Given = { readonly kind: 'totp' | 'recovery_code'; readonly code: string } | { readonly kind: 'passkey' };

/** What completes the step, as the server takes it. */
interface Completion {
  readonly challenge: string;
  readonly second_factor:
    | Exclude<Given, { readonly kind: 'passkey' }>
    | { readonly kind: 'passkey'; readonly credential: never };
}

interface SecondStepProps<T> {
  readonly login: OpenLogin;
  /** The action, as its button says. */
  readonly action: string;
  readonly complete: (given: Completion) => Promise<T>;
  readonly onDone: (result: T) => void;
  readonly onBack: () => void;
}

/** Asks for the second factor of a login, or of what else needs one. */
export function SecondStep<T>({ login, action, complete, onDone, onBack }: SecondStepProps<T>) {
  const { challenge, kinds, passkeyOptions } = login;
  const [isRecovery, setIsRecovery] = useState(false);
  const finish = useMutation({
    mutationFn: async (given: Given) => {
      if (given.kind !== 'passkey') return await complete({ challenge, second_factor: given });
      const credential = await signWithPasskey(passkeyOptions ?? {});
      return await complete({ challenge, second_factor: { kind: 'passkey', credential: credential as never } });
    },
    onSuccess: onDone,
  });
  const asksCode = kinds.includes('totp') && !isRecovery;
  const kind = asksCode ? 'totp' : 'recovery_code';
  const hasForm = asksCode || isRecovery || !kinds.includes('passkey');
  return (
    <>
      <p>The password is right. Now your second factor:</p>
      {finish.isError && <FaultNotice error={finish.error} />}
      {passkeyOptions !== null && (
        <Button tone="primary" busy={finish.isPending} onClick={() => finish.mutate({ kind: 'passkey' })}>
          Use a passkey
        </Button>
      )}
      {hasForm && (
        <Form onSubmit={(data) => !finish.isPending && finish.mutate({ kind, code: fieldText(data, 'code') })}>
          <TextField
            key={kind}
            label={asksCode ? 'Code' : 'Recovery code'}
            name="code"
            inputMode={asksCode ? 'numeric' : 'text'}
            autoComplete={asksCode ? 'one-time-code' : 'off'}
            required
            hint={asksCode ? 'The six digits that your authenticator app shows.' : 'One that you have not used yet.'}
          />
          <Button type="submit" tone={passkeyOptions === null ? 'primary' : 'plain'} busy={finish.isPending}>
            {action}
          </Button>
        </Form>
      )}
      {kinds.includes('recovery_code') && !isRecovery && (
        <Button tone="quiet" onClick={() => setIsRecovery(true)}>
          Use a recovery code
        </Button>
      )}
      <Button tone="quiet" onClick={onBack}>
        Back
      </Button>
    </>
  );
}
