import { isSluiceError } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { type Attempt, attemptOf } from '../session/idempotency-key.ts';
import { repoQuery, reposQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';

interface RegisterRepoFormProps {
  /** A repository of the code host by its `owner/name`; null: the form asks for an address. */
  readonly hosted: string | null;
  /** Stands beside the button. */
  readonly actions?: ReactNode;
}

type NewRepo = Parameters<typeof client.repos.create.mutate>[0];

/** Registers a repository, and leads to its page. */
export function RegisterRepoForm({ hosted, actions }: RegisterRepoFormProps) {
  const attempt = useRef<Attempt | null>(null);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const register = useMutation({
    mutationFn: (repo: NewRepo) => {
      attempt.current = attemptOf(attempt.current, repo);
      return client.repos.create.mutate(repo, { idempotencyKey: attempt.current.key });
    },
    onSuccess: async (repo) => {
      queries.setQueryData(repoQuery(repo.id).queryKey, repo);
      void queries.invalidateQueries({ queryKey: reposQuery.queryKey });
      await navigate({ to: '/repos/$id', params: { id: repo.id } });
    },
  });
  const faults = fieldErrors(register.error);
  return (
    <Form
      onSubmit={(data) => {
        if (!register.isPending) register.mutate(requestOf(hosted, data));
      }}
    >
      {hosted === null && <AddressFields faults={faults} />}
      <TextField
        label="Default branch"
        name="default_branch"
        hint="Where changes start from. Empty: the branch that the repository names."
        spellCheck={false}
        error={faults.default_branch}
      />
      <TextField
        label="Test command"
        name="test_command"
        placeholder="npm test"
        hint="Decides whether a change is published. Empty: it is detected from the project's files."
        spellCheck={false}
        error={faults.test_command}
      />
      <TextField
        label="Setup command"
        name="setup_command"
        placeholder="npm ci"
        hint="Installs what the tests need. Empty: it is detected from the project's files."
        spellCheck={false}
        error={faults.setup_command}
      />
      <TextArea
        label="Instructions for the agents"
        name="instructions"
        rows={4}
        hint="What every change here must keep to: conventions, what not to touch. May stay empty."
        error={faults.instructions}
      />
      {register.isError && <RegistrationFault error={register.error} />}
      <FormActions>
        <Button type="submit" tone="primary" busy={register.isPending}>
          Add the repository
        </Button>
        {actions}
        {register.isPending && <span role="status">The repository is being contacted…</span>}
      </FormActions>
    </Form>
  );
}

function AddressFields({ faults }: { readonly faults: Readonly<Record<string, string>> }) {
  return (
    <>
      <TextField
        label="Address"
        name="url"
        required
        placeholder="https://example.com/owner/name"
        hint="An https:// address. Where the operator allows it, also a folder of the server's machine, such as /home/me/project."
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        error={faults.url}
      />
      <TextField
        label="Access token"
        name="access_token"
        type="password"
        autoComplete="off"
        hint="For a private repository: it needs the right to read and to push branches. It is stored encrypted, and never shown again."
        error={faults.access_token}
      />
    </>
  );
}

function RegistrationFault({ error }: { readonly error: unknown }) {
  const there = isSluiceError(error, 'repo_exists') ? error.body.repo_id : undefined;
  if (typeof there !== 'string') return <ErrorNotice error={error} />;
  return (
    <Notice
      tone="warn"
      action={
        <Link to="/repos/$id" params={{ id: there }}>
          Open it
        </Link>
      }
    >
      You have already added this repository.
    </Notice>
  );
}

function requestOf(hosted: string | null, data: FormData): NewRepo {
  const given = (name: string) => fieldText(data, name) || undefined;
  const options = {
    default_branch: given('default_branch'),
    test_command: given('test_command'),
    setup_command: given('setup_command'),
    instructions: given('instructions'),
  };
  if (hosted !== null) return { codehost_repo: hosted, ...options };
  return { url: fieldText(data, 'url'), access_token: given('access_token'), ...options };
}
