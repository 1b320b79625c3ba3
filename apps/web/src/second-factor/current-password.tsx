import type { Profile } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { serverQuery } from '../session/queries.ts';
import { TextField } from '../ui/field.tsx';

interface CurrentPasswordProps {
  readonly profile: Profile;
  readonly error: string | undefined;
}

/** Proves that it is the user themselves. An account of the code host or a provider may have no password yet; only the server knows. */
export function CurrentPassword({ profile, error }: CurrentPasswordProps) {
  const server = useQuery(serverQuery);
  const mayHaveNone = profile.codehost_login !== null || server.data?.sign_in.includes('oidc') === true;
  return (
    <>
      {profile.email !== null && (
        // It tells a password manager whose password this is.
        <input type="email" name="username" autoComplete="username" value={profile.email} readOnly hidden />
      )}
      <TextField
        label="Current password"
        name="current_password"
        type="password"
        autoComplete="current-password"
        hint={mayHaveNone ? 'Empty if you have never set one and always log in in another way.' : undefined}
        error={error}
      />
    </>
  );
}
