import type { UserAccount } from '@sluice/client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { UserAccessDialog } from './user-access-dialog.tsx';
import { type UserAct, userActs } from './user-acts.ts';
import { accountName, UserRow } from './user-row.tsx';

const PAGE = 50;

const states = { active: 'Can log in', disabled: 'Disabled', operator: 'Operators' } as const;
type State = keyof typeof states;

interface Wanted {
  readonly q?: string | undefined;
  readonly state?: State | undefined;
}

/** The accounts of the server, and what an operator does about them. */
export function UsersSection({ userId }: { readonly userId: string | undefined }) {
  const [filter, setFilter] = useState<Wanted>({});
  const [opened, setOpened] = useState<UserAccount | null>(null);
  const [pending, setPending] = useState<{ readonly user: UserAccount; readonly act: UserAct } | null>(null);
  const queries = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: [...queryKeys.users, filter],
    queryFn: ({ pageParam, signal }) =>
      client.admin.users.query({ limit: PAGE, cursor: pageParam, ...filter }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const act = useMutation({
    mutationFn: ({ user, act }: { readonly user: UserAccount; readonly act: UserAct }) => userActs[act].run(user.id),
    onSuccess: () => setPending(null),
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.users }),
  });
  const users = list.data?.pages.flatMap((page) => page.items) ?? [];
  const ask = (next: typeof pending) => {
    act.reset();
    setPending(next);
  };
  const words = pending === null ? null : userActs[pending.act];
  return (
    <Section
      title="Users"
      id="users"
      about="Who has an account. Their issues and the contents of their repositories are not shown here."
    >
      <Form
        label="Search the users"
        onSubmit={(data) =>
          setFilter({
            q: fieldText(data, 'q') || undefined,
            state: (fieldText(data, 'state') || undefined) as State | undefined,
          })
        }
      >
        <TextField label="Search" name="q" hint="A part of the e-mail, the name or the login at the code host." />
        <SelectField label="State" name="state" defaultValue="">
          <option value="">All</option>
          {Object.entries(states).map(([state, text]) => (
            <option key={state} value={state}>
              {text}
            </option>
          ))}
        </SelectField>
        <FormActions>
          <Button type="submit">Search</Button>
        </FormActions>
      </Form>
      {list.isSuccess && users.length === 0 && <p>No user matches.</p>}
      {users.length > 0 && (
        <ul className={rows.rows} aria-label="Users">
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              isMe={user.id === userId}
              onOpen={() => setOpened(user)}
              onAct={(name) => ask({ user, act: name })}
            />
          ))}
        </ul>
      )}
      <MoreButton what="the users" list={list} />
      {opened !== null && <UserAccessDialog user={opened} onClose={() => setOpened(null)} />}
      <ConfirmDialog
        title={words?.question ?? ''}
        isOpen={pending !== null}
        onClose={() => ask(null)}
        confirm={words?.confirm ?? ''}
        tone={words !== null && 'tone' in words ? words.tone : 'primary'}
        busy={act.isPending}
        error={act.error}
        onConfirm={() => pending !== null && act.mutate(pending)}
      >
        <p>
          {pending !== null && (
            <strong>
              <bdi>{accountName(pending.user)}</bdi>
            </strong>
          )}
          : {words?.effect}
        </p>
      </ConfirmDialog>
    </Section>
  );
}
