import { isSluiceError, type Member, type Repo, type Role } from '@sluice/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { memberName } from '../members/member-name.ts';
import { roles, roleWords } from '../members/roles.ts';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { membersQuery, profileQuery, repoQuery, reposQuery } from '../session/queries.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { Loading } from '../ui/loading.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';

/** Who may do what in a repository. Admins change it; every member sees it, and may leave. */
export function MembersSection({ repo }: { readonly repo: Repo }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const me = useQuery(profileQuery).data?.id;
  const list = useQuery(membersQuery(repo.id));
  const refresh = () => void queries.invalidateQueries({ queryKey: queryKeys.members(repo.id) });
  const change = useMutation({
    mutationFn: ({ user_id, role }: { readonly user_id: string; readonly role: Role }) =>
      client.repos.changeMember.mutate({ id: repo.id, user_id, role }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: ({ user_id }: Member) => client.repos.removeMember.mutate({ id: repo.id, user_id }),
    onSuccess: async (_, { user_id }) => {
      setLeaving(null);
      if (user_id !== me) return refresh();
      await navigate({ to: '/repos', ignoreBlocker: true });
      queries.removeQueries({ queryKey: repoQuery(repo.id).queryKey });
      for (const queryKey of [reposQuery.queryKey, queryKeys.inbox]) void queries.invalidateQueries({ queryKey });
    },
  });
  const isAdmin = repo.role === 'admin';
  const ask = (member: Member | null) => {
    remove.reset();
    setLeaving(member);
  };
  return (
    <Section
      title="Members"
      id="members"
      about="Who sees this repository and its issues, and what they may do. Each role may also do what those before it may."
    >
      {list.error !== null && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      {change.isError && <ErrorNotice error={change.error} />}
      {list.data === undefined ? (
        list.error === null && <Loading what="the members" />
      ) : (
        <ul className={rows.rows}>
          {list.data.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              isMe={member.user_id === me}
              isAdmin={isAdmin}
              isBusy={change.isPending}
              onRole={(role) => change.mutate({ user_id: member.user_id, role })}
              onRemove={() => ask(member)}
            />
          ))}
        </ul>
      )}
      {isAdmin && <AddMemberForm repo={repo} onAdded={refresh} />}
      <ConfirmDialog
        title={leaving?.user_id === me ? 'Leave this repository?' : 'Remove this member?'}
        isOpen={leaving !== null}
        onClose={() => ask(null)}
        confirm={leaving?.user_id === me ? 'Leave it' : 'Remove them'}
        tone="danger"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => leaving !== null && remove.mutate(leaving)}
      >
        <p>
          <strong>
            <bdi>{leaving === null ? '' : memberName(leaving)}</bdi>
          </strong>{' '}
          no longer sees this repository and its issues, at once. The issues that they created stay.
          {leaving?.origin === 'oidc' && ' Their groups give them the role again at their next sign-in there.'}
        </p>
      </ConfirmDialog>
    </Section>
  );
}

interface MemberRowProps {
  readonly member: Member;
  readonly isMe: boolean;
  readonly isAdmin: boolean;
  readonly isBusy: boolean;
  readonly onRole: (role: Role) => void;
  readonly onRemove: () => void;
}

function MemberRow({ member, isMe, isAdmin, isBusy, onRole, onRemove }: MemberRowProps) {
  const { email, codehost_login: login, role, origin } = member;
  const name = memberName(member);
  const also = [email, login].flatMap((text) =>
    text === null || visibleText(text) === name ? [] : [visibleText(text)],
  );
  const isFixed = origin === 'registered';
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <bdi className={rows.strong}>{name}</bdi> {isMe && <Badge tone="good">you</Badge>}
        <span className={rows.line}>
          {also.length > 0 && (
            <>
              <bdi>{also.join(', ')}</bdi>.{' '}
            </>
          )}
          {origin === 'oidc' && 'By their groups at the single sign-on. '}
          {isFixed && 'Registered it: Sluice reaches the repository with their account.'}
          {origin === 'mirrored' && 'By their permission at the code host.'}
        </span>
      </span>
      {isAdmin && !isFixed ? (
        <select
          aria-label={`Role of ${name}`}
          value={role}
          disabled={isBusy}
          onChange={({ target: { value } }) => onRole(value as Role)}
        >
          {roles.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      ) : (
        <Badge>{role}</Badge>
      )}
      {(isAdmin || isMe) && (origin === 'added' || origin === 'oidc') && (
        <Button tone="danger" aria-label={isMe ? 'Leave this repository' : `Remove ${name}`} onClick={onRemove}>
          {isMe ? 'Leave…' : 'Remove…'}
        </Button>
      )}
    </li>
  );
}

function AddMemberForm({ repo, onAdded }: { readonly repo: Repo; readonly onAdded: () => void }) {
  const add = useMutation({
    mutationFn: ({ user, role }: { readonly user: string; readonly role: Role }) =>
      client.repos.addMember.mutate({ id: repo.id, user, role }),
    onSuccess: onAdded,
  });
  const errors = fieldErrors(add.error);
  return (
    <Form
      onSubmit={(data, form) => {
        const member = { user: fieldText(data, 'user').trim(), role: fieldText(data, 'role') as Role };
        if (!add.isPending) add.mutate(member, { onSuccess: () => form.reset() });
      }}
    >
      <TextField
        label="Add a member"
        name="user"
        required
        autoComplete="off"
        hint="The e-mail of their account here, or their login at the code host. They need an account first."
        error={errors.user}
      />
      <SelectField label="Role" name="role" defaultValue="contributor">
        {roles.map((role) => (
          <option key={role} value={role}>
            {role}: {roleWords[role]}
          </option>
        ))}
      </SelectField>
      {add.isError && <ErrorNotice error={add.error} />}
      {isSluiceError(add.error, 'user_not_found') && add.error.body.can_invite === true && (
        <p>
          <a href="#invitations">Invite them</a> to make an account and become a member.
        </p>
      )}
      <FormActions>
        <Button type="submit" busy={add.isPending}>
          Add
        </Button>
        <span role="status">{add.isSuccess && `${memberName(add.data)} is a member.`}</span>
      </FormActions>
    </Form>
  );
}
