import type { Repo } from '@sluice/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { profileQuery, serverQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Section } from '../ui/section.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteForm } from './invite-form.tsx';

const PAGE = 50;

/** The invitations of all users, and a new one. */
export function ServerInvitationsSection({ isOff }: { readonly isOff: boolean }) {
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

/** Invitations to a repository, for its admins. Nothing where they may not invite. */
export function RepoInvitationsSection({ repo }: { readonly repo: Repo }) {
  const queries = useQueryClient();
  const rule = useQuery(serverQuery).data?.details?.invitations;
  const isOperator = useQuery(profileQuery).data?.operator === true;
  const mayInvite = rule === 'admins' || (rule === 'operators' && isOperator);
  if (!mayInvite) return null;
  const queryKey = queryKeys.repoInvitations(repo.id);
  const { id } = repo;
  return (
    <Section
      title="Invitations"
      id="invitations"
      about="A link with which somebody without an account makes one and becomes a member here at once."
    >
      <InvitationList
        queryKey={queryKey}
        read={(cursor, signal) => client.repos.invitations.query({ id, limit: PAGE, cursor }, { signal })}
        withdraw={(invitation_id) => client.repos.withdrawInvitation.mutate({ id, invitation_id })}
      />
      <InviteForm
        withRole
        invite={(invitation) => client.repos.inviteMember.mutate({ id, ...invitation })}
        onInvited={() => void queries.invalidateQueries({ queryKey })}
      />
    </Section>
  );
}
