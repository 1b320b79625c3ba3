import type { Profile } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { makePasskey, passkeyObstacle } from './browser-passkeys.ts';
import { CurrentPassword } from './current-password.tsx';
import { FaultNotice } from './fault-notice.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './second-factor.module.css';
import { type SecondFactors, useFactorsChanged } from './second-factor-queries.ts';

interface EnrollmentProps {
  readonly kind: 'passkey' | 'totp';
  readonly profile: Profile;
  readonly onDone: () => void;
}

/** Adds a passkey or an authenticator app, and shows the recovery codes that come with the first factor. */
export function Enrollment({ kind, profile, onDone }: EnrollmentProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const changed = useFactorsChanged();
  const added = (fresh: readonly string[] | null) => {
    changed();
    if (fresh === null) onDone();
    else setCodes(fresh);
  };
  if (codes !== null) {
    return (
      <>
        <RecoveryCodes codes={codes} />
        <FormActions>
          <Button tone="primary" onClick={onDone}>
            I have kept the codes
          </Button>
        </FormActions>
      </>
    );
  }
  return kind === 'passkey' ? (
    <PasskeyForm profile={profile} onAdded={added} />
  ) : (
    <AppForm profile={profile} onAdded={added} />
  );
}

interface FormProps {
  readonly profile: Profile;
  readonly onAdded: (codes: readonly string[] | null) => void;
}

function PasskeyForm({ profile, onAdded }: FormProps) {
  const add = useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      const begun = await client.auth.secondFactors.beginPasskey.mutate({ current_password: password });
      const credential = await makePasskey(begun.options);
      const made = { ...credential, response: { ...credential.response } };
      return await client.auth.secondFactors.add.mutate({
        challenge: begun.challenge,
        name,
        credential: made as never,
      });
    },
    onSuccess: ({ recovery_codes: codes }) => onAdded(codes),
  });
  const faults = fieldErrors(add.error);
  return (
    <Form
      label="Add a passkey"
      onSubmit={(data) => {
        if (add.isPending) return;
        add.mutate({ name: fieldText(data, 'name'), password: String(data.get('current_password') ?? '') });
      }}
    >
      <TextField label="Name" name="name" defaultValue="Passkey" required error={faults.name} />
      <CurrentPassword profile={profile} error={faults.current_password} />
      {add.isError && <FaultNotice error={add.error} />}
      <FormActions>
        <Button type="submit" tone="primary" busy={add.isPending}>
          Add the passkey
        </Button>
      </FormActions>
    </Form>
  );
}

function AppForm({ profile, onAdded }: FormProps) {
  const begin = useMutation({
    mutationFn: (password: string) => client.auth.secondFactors.beginTotp.mutate({ current_password: password }),
  });
  const add = useMutation({
    mutationFn: (given: { challenge: string; name: string; code: string }) =>
      client.auth.secondFactors.add.mutate(given),
    onSuccess: ({ recovery_codes: codes }) => onAdded(codes),
  });
  if (begin.data === undefined) {
    return (
      <Form
        label="Add an authenticator app"
        onSubmit={(data) => {
          if (!begin.isPending) begin.mutate(String(data.get('current_password') ?? ''));
        }}
      >
        <CurrentPassword profile={profile} error={fieldErrors(begin.error).current_password} />
        {begin.isError && <FaultNotice error={begin.error} />}
        <FormActions>
          <Button type="submit" tone="primary" busy={begin.isPending}>
            Continue
          </Button>
        </FormActions>
      </Form>
    );
  }
  const { challenge, secret, otpauth_uri: uri } = begin.data;
  const faults = fieldErrors(add.error);
  return (
    <Form
      label="Confirm the authenticator app"
      onSubmit={(data) => {
        if (add.isPending) return;
        add.mutate({ challenge, name: fieldText(data, 'name'), code: fieldText(data, 'code') });
      }}
    >
      <p>Scan this with the app, or enter the key by hand. Then enter the code that the app shows.</p>
      <QrCode text={uri} label="QR code for the authenticator app" />
      <p className={styles.secret}>
        Key: <code>{secret}</code>
      </p>
      <TextField label="Name" name="name" defaultValue="Authenticator app" required error={faults.name} />
      <TextField
        label="Code"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        hint="Six digits."
        error={faults.code}
      />
      {add.isError && <FaultNotice error={add.error} />}
      <FormActions>
        <Button type="submit" tone="primary" busy={add.isPending}>
          Add the app
        </Button>
      </FormActions>
    </Form>
  );
}

/** A QR code as SVG: one path, which no content policy forbids. Dark on light in every theme, or phones do not read it. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 3 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

interface RequiredEnrollmentProps {
  readonly profile: Profile;
  readonly factors: SecondFactors;
  readonly onDone: () => void;
}

/** Sets up the second factor that this server requires, before anything else is shown. */
export function RequiredEnrollment({ profile, factors, onDone }: RequiredEnrollmentProps) {
  const [kind, setKind] = useState<'passkey' | 'totp' | null>(null);
  const obstacle = passkeyObstacle(factors.passkey_origin);
  if (kind !== null) return <Enrollment kind={kind} profile={profile} onDone={onDone} />;
  return (
    <>
      <p>This server requires a second factor beside your password. Set one up to go on.</p>
      {obstacle === null && (
        <Button tone="primary" onClick={() => setKind('passkey')}>
          Use a passkey
        </Button>
      )}
      <Button tone={obstacle === null ? 'plain' : 'primary'} onClick={() => setKind('totp')}>
        Use an authenticator app
      </Button>
    </>
  );
}
