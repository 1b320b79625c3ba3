import type { Profile } from '@sluice/client';
import { CurrentPassword } from '../second-factor/current-password.tsx';
import { fieldErrors } from '../session/error-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';
import { useProfileChange } from './profile-section.tsx';

/** Changes the password, or sets the first one of an account that came from the code host. */
export function PasswordSection({ profile }: { readonly profile: Profile }) {
  const change = useProfileChange();
  const faults = fieldErrors(change.error);
  return (
    <Section title="Password" id="password" about="A new password ends all your other sessions. This one stays.">
      <Form
        label="Change the password"
        onSubmit={(data, form) => {
          const text = (name: string) => String(data.get(name) ?? '');
          const input = {
            password: text('password'),
            current_password: text('current_password') || undefined,
            ...(profile.email === null ? { email: fieldText(data, 'email') } : {}),
          };
          if (!change.isPending) change.mutate(input, { onSuccess: () => form.reset() });
        }}
      >
        {profile.email === null && (
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="email"
            required
            hint="You log in with it and the password."
            error={faults.email}
          />
        )}
        <CurrentPassword profile={profile} error={faults.current_password} />
        <TextField
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          hint="A sentence of several words is both safe and easy to remember."
          error={faults.password}
        />
        {change.isError && <ErrorNotice error={change.error} />}
        <FormActions>
          <Button type="submit" busy={change.isPending}>
            Set the new password
          </Button>
          <span role="status">{change.isSuccess && 'The password is set. Your other sessions have ended.'}</span>
        </FormActions>
      </Form>
    </Section>
  );
}
