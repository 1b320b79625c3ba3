import type { Profile } from '@sluice/client';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { passkeyObstacle } from './browser-passkeys.ts';
import { Enrollment } from './enrollment.tsx';
import type { SecondFactors } from './second-factor-queries.ts';

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
