import { useQueryClient } from '@tanstack/react-query';
import { InvitationList } from '../invitations/invitation-list.tsx';
import { InviteForm } from '../invitations/invite-form.tsx';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Section } from '../ui/section.tsx';

const PAGE = 50;

/** The invitations of all users, and a new one. */
export function InvitationsSection({ isOff }: { readonly isOff: boolean }) {
  const queries = useQueryClient();
  const queryKey = queryKeys.invitations;
  return (
    <Section
      title="Invitations"
      id="invitations"
      about={
        isOff
          ? 'This server takes none: they need passwords, and REGISTRATION=invite or REGISTRATION=open.'
          : 'A link with which somebody makes an account. Admins of a repository invite on its page, where they may.'
      }
    >
      <InvitationList
        queryKey={queryKey}
        read={(cursor, signal) => client.admin.invitations.query({ limit: PAGE, cursor }, { signal })}
        withdraw={(invitation_id) => client.admin.withdrawInvitation.mutate({ invitation_id })}
      />
      {!isOff && (
        <InviteForm
          withRole={false}
          invite={({ email }) => client.admin.invite.mutate({ email })}
          onInvited={() => void queries.invalidateQueries({ queryKey })}
        />
      )}
    </Section>
  );
}
