import type { Repo, TokenScope } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './tokens.module.css';

const scopes: Readonly<Record<TokenScope, string>> = {
  read: 'reads',
  write: 'creates issues and sends notes',
  approve: 'also decides at gates',
  admin: 'also changes settings and members',
};

const lives = [
  [7, 'a week'],
  [30, '30 days'],
  [90, '90 days'],
  [365, 'a year'],
] as const;

interface CreateTokenFormProps {
  readonly repos: readonly Repo[];
  readonly onCreated: () => void;
}

/** Creates a token, and shows it for the only time. */
export function CreateTokenForm({ repos, onCreated }: CreateTokenFormProps) {
  const create = useMutation({
    mutationFn: (input: Parameters<typeof client.tokens.create.mutate>[0]) => client.tokens.create.mutate(input),
    onSuccess: onCreated,
    gcTime: 0, // the token is not kept longer than it is shown
  });
  const errors = fieldErrors(create.error);
  return (
    <Form
      label="Create an API token"
      onSubmit={(data, form) => {
        if (create.isPending) return;
        const input = {
          name: fieldText(data, 'name'),
          scope: fieldText(data, 'scope') as TokenScope,
          repo_id: fieldText(data, 'repo') || null,
          expires_in_days: Number(fieldText(data, 'days')),
        };
        create.mutate(input, { onSuccess: () => form.reset() });
      }}
    >
      {create.isSuccess && (
        <Notice tone="good">
          <p>Copy the token now: it is not shown again.</p>
          <p className={styles.secret}>
            <code>{create.data.token}</code>
            <CopyButton text={() => create.data.token} label="Copy the token" />
          </p>
        </Notice>
      )}
      <TextField label="Name" name="name" required autoComplete="off" hint="What it is for." error={errors.name} />
      <SelectField label="Scope" name="scope" defaultValue="read">
        {Object.entries(scopes).map(([scope, words]) => (
          <option key={scope} value={scope}>
            {scope}: {words}
          </option>
        ))}
      </SelectField>
      <SelectField label="Repository" name="repo" defaultValue="">
        <option value="">All of your repositories</option>
        {repos.map(({ id, name }) => (
          <option key={id} value={id}>
            {visibleText(name)}
          </option>
        ))}
      </SelectField>
      <SelectField label="Expires after" name="days" defaultValue="90">
        {lives.map(([days, words]) => (
          <option key={days} value={days}>
            {words}
          </option>
        ))}
      </SelectField>
      {create.isError && <ErrorNotice error={create.error} />}
      <FormActions>
        <Button type="submit" busy={create.isPending}>
          Create a token
        </Button>
      </FormActions>
    </Form>
  );
}
