import type { Repo } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { useKeepRepo } from './use-keep-repo.ts';

/** Replaces or removes the token with which a repository is reached. The server never shows the one that it has. */
export function AccessTokenForm({ repo }: { readonly repo: Repo }) {
  const keepRepo = useKeepRepo();
  const change = useMutation({
    mutationFn: (access_token: string | null) => client.repos.update.mutate({ id: repo.id, access_token }),
    onSuccess: keepRepo,
  });
  return (
    <Form
      onSubmit={(data, form) => {
        if (!change.isPending) change.mutate(fieldText(data, 'access_token'), { onSuccess: () => form.reset() });
      }}
    >
      <TextField
        label="New access token"
        name="access_token"
        type="password"
        autoComplete="off"
        hint="It needs the right to read and to push branches. It is tried before it is stored, encrypted, and never shown again."
        error={fieldErrors(change.error).access_token}
      />
      {change.isError && <ErrorNotice error={change.error} />}
      <FormActions>
        <Button type="submit" busy={change.isPending}>
          Replace the token
        </Button>
        <Button tone="danger" busy={change.isPending} onClick={() => change.mutate(null)}>
          Remove the token
        </Button>
        <span role="status">
          {change.isSuccess && (change.variables === null ? 'The token is removed.' : 'The new token is stored.')}
        </span>
      </FormActions>
    </Form>
  );
}
