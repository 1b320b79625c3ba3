import type { CreatedInvitation, Role } from '@sluice/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { visibleText } from '../format/visible-text.ts';
import { roles, roleWords } from '../members/roles.ts';
import { fieldErrors } from '../session/error-text.ts';
import { serverQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './invitations.module.css';

interface InviteFormProps {
  /** Whether the account becomes a member, with a role. */
  readonly withRole: boolean;
  readonly invite: (invitation: { readonly email: string; readonly role: Role }) => Promise<CreatedInvitation>;
  readonly onInvited: () => void;
}

/** Invites somebody, and shows the link for the only time. */
export function InviteForm({ withRole, invite, onInvited }: InviteFormProps) {
  const create = useMutation({
    mutationFn: invite,
    onSuccess: onInvited,
    gcTime: 0, // the link is not kept longer than it is shown
  });
  const errors = fieldErrors(create.error);
  const sendsEmail = useQuery(serverQuery).data?.details?.sends_email === true;
  return (
    <Form
      label="Invite somebody"
      onSubmit={(data, form) => {
        if (create.isPending) return;
        const invitation = { email: fieldText(data, 'email'), role: (fieldText(data, 'role') || 'viewer') as Role };
        create.mutate(invitation, { onSuccess: () => form.reset() });
      }}
    >
      {create.isSuccess && (
        <Notice tone="good">
          <p>
            {sendsEmail ? 'This link is on its way to' : 'Give this link to'}{' '}
            <bdi>{visibleText(create.data.email)}</bdi>. It works once, for seven days, and is not shown again.
          </p>
          <p className={styles.link}>
            <code>{create.data.url}</code>
            <CopyButton text={() => create.data.url} label="Copy the link" />
          </p>
        </Notice>
      )}
      <TextField
        label="E-mail"
        name="email"
        type="email"
        required
        autoComplete="off"
        hint="Of a person without an account here. The account has to be made with it."
        error={errors.email}
      />
      {withRole && (
        <SelectField label="Role" name="role" defaultValue="contributor">
          {roles.map((role) => (
            <option key={role} value={role}>
              {role}: {roleWords[role]}
            </option>
          ))}
        </SelectField>
      )}
      {create.isError && <ErrorNotice error={create.error} />}
      <FormActions>
        <Button type="submit" busy={create.isPending}>
          Invite
        </Button>
      </FormActions>
    </Form>
  );
}
