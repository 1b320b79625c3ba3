import { isSluiceError, type Profile } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../session/client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, fieldText } from '../ui/form.tsx';
import { signWithPasskey } from './browser-passkeys.ts';
import { FaultNotice } from './fault-notice.tsx';

/** A login whose password was right. */
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

interface SecondStepProps {
  readonly login: OpenLogin;
  readonly onEntered: (profile: Profile) => void;
  readonly onBack: () => void;
}

/** Asks for the second factor of a login. */
export function SecondStep({ login: { challenge, kinds, passkeyOptions }, onEntered, onBack }: SecondStepProps) {
  const [isRecovery, setIsRecovery] = useState(false);
  const finish = useMutation({
    mutationFn: async (given: Given) => {
      if (given.kind !== 'passkey') return await client.auth.login.mutate({ challenge, second_factor: given });
      const credential = await signWithPasskey(passkeyOptions ?? {});
      return await client.auth.login.mutate({
        challenge,
        second_factor: { kind: 'passkey', credential: credential as never },
      });
    },
    onSuccess: onEntered,
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
            Log in
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
