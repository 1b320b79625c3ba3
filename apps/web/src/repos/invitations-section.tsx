import type { Repo } from '@sluice/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { InvitationList } from '../invitations/invitation-list.tsx';
import { InviteForm } from '../invitations/invite-form.tsx';
import { client } from '../session/client.ts';
import { profileQuery, serverQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Section } from '../ui/section.tsx';

const PAGE = 50;

/** Invitations to a repository, for its admins. Nothing where they may not invite. */
export function InvitationsSection({ repo }: { readonly repo: Repo }) {
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
