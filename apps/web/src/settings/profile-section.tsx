import type { Profile } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CurrentPassword } from '../second-factor/current-password.tsx';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { profileQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';

/** The user's name and the e-mail that they log in with. */
export function ProfileSection({ profile, sendsEmail }: { readonly profile: Profile; readonly sendsEmail: boolean }) {
  return (
    <Section title="Profile" id="profile">
      <NameForm profile={profile} />
      <hr />
      <EmailState profile={profile} sendsEmail={sendsEmail} />
      <EmailForm profile={profile} />
    </Section>
  );
}

function NameForm({ profile }: { readonly profile: Profile }) {
  const change = useProfileChange();
  return (
    <Form
      onSubmit={(data) => {
        if (!change.isPending) change.mutate({ name: fieldText(data, 'name') || null });
      }}
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        defaultValue={profile.name ?? ''}
        hint="It may stay empty."
        error={fieldErrors(change.error).name}
      />
      {change.isError && <ErrorNotice error={change.error} />}
      <FormActions>
        <Button type="submit" busy={change.isPending}>
          Save the name
        </Button>
        <span role="status">{change.isSuccess && 'Saved'}</span>
      </FormActions>
    </Form>
  );
}

function EmailForm({ profile }: { readonly profile: Profile }) {
  const change = useProfileChange();
  const faults = fieldErrors(change.error);
  return (
    <Form
      label="Change the e-mail"
      onSubmit={(data, form) => {
        const current_password = String(data.get('current_password') ?? '') || undefined;
        const input = { email: fieldText(data, 'email'), current_password };
        if (!change.isPending) change.mutate(input, { onSuccess: () => form.reset() });
      }}
    >
      <p>
        {profile.email === null ? (
          'You have no e-mail here: you log in with the code host.'
        ) : (
          <>
            You log in as <strong>{profile.email}</strong>.
          </>
        )}
      </p>
      <TextField label="New e-mail" name="email" type="email" autoComplete="email" required error={faults.email} />
      <CurrentPassword profile={profile} error={faults.current_password} />
      {change.isError && <ErrorNotice error={change.error} />}
      <FormActions>
        <Button type="submit" busy={change.isPending}>
          Change the e-mail
        </Button>
        <span role="status">{change.isSuccess && 'Changed'}</span>
      </FormActions>
    </Form>
  );
}

type ProfileChange = Parameters<typeof client.auth.account.update.mutate>[0];

/** Changes the account, and shows what it is then. */
export function useProfileChange() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: ProfileChange) => client.auth.account.update.mutate(input),
    onSuccess: (profile) => {
      queries.setQueryData(profileQuery.queryKey, profile);
      for (const queryKey of [queryKeys.sessions, queryKeys.audit]) void queries.invalidateQueries({ queryKey });
    },
  });
}

/** Whether the address is verified, and the way to it. */
function EmailState({ profile, sendsEmail }: { readonly profile: Profile; readonly sendsEmail: boolean }) {
  const ask = useMutation({ mutationFn: () => client.auth.email.requestVerification.mutate() });
  if (profile.email === null || !sendsEmail) return null;
  if (profile.email_verified_at !== null) return <p>The address is verified.</p>;
  return (
    <div>
      <p>
        The address is not verified yet, so it cannot be used to add you to a repository.{' '}
        {ask.isSuccess ? (
          <span role="status">A link is on its way.</span>
        ) : (
          <Button busy={ask.isPending} onClick={() => ask.mutate()}>
            Send me the link
          </Button>
        )}
      </p>
      {ask.isError && <ErrorNotice error={ask.error} />}
    </div>
  );
}
