import type { NotificationTarget } from '@sluice/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { reposQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { CheckField, SelectField, TextField } from '../ui/field.tsx';
import { Form, FormActions, fieldText } from '../ui/form.tsx';
import { useTargetsChanged } from './notification-queries.ts';
import styles from './notifications.module.css';
import { formats, formatWords, kinds, kindWords, type NotificationFormat, needsYou } from './target-words.ts';

interface TargetDialogProps {
  /** Absent: a new webhook. */
  readonly target?: NotificationTarget;
  readonly onClose: () => void;
}

/** Adds a webhook, whose secret is shown once, or changes a target. */
export function TargetDialog({ target, onClose }: TargetDialogProps) {
  const [secret, setSecret] = useState<string | null>(null);
  const isNew = target === undefined;
  const title = secret !== null ? 'The secret of the webhook' : isNew ? 'Add a webhook' : 'Edit the notifications';
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {secret === null ? (
        <TargetForm target={target} onSecret={setSecret} onClose={onClose} />
      ) : (
        <>
          <SecretNotice secret={secret} />
          <FormActions>
            <Button tone="primary" onClick={onClose}>
              I have stored it
            </Button>
          </FormActions>
        </>
      )}
    </Dialog>
  );
}

interface TargetFormProps {
  readonly target: NotificationTarget | undefined;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

function TargetForm({ target, onSecret, onClose }: TargetFormProps) {
  const [format, setFormat] = useState<NotificationFormat>(target?.format ?? 'standard');
  const changed = useTargetsChanged();
  const save = useMutation({
    mutationFn: async (draft: ReturnType<typeof wantedOf>) => {
      if (target === undefined) return (await client.notifications.create.mutate(draft)).secret;
      await client.notifications.update.mutate({ id: target.id, ...draft });
      return null;
    },
    onSuccess: (secret) => {
      void changed();
      if (secret === null) onClose();
      else onSecret(secret);
    },
  });
  const faults = fieldErrors(save.error);
  const isWebhook = target?.channel !== 'email';
  return (
    <Form
      onSubmit={(data) => {
        if (!save.isPending) save.mutate(wantedOf(data, isWebhook));
      }}
    >
      {isWebhook && (
        <>
          <SelectField
            label="Format"
            name="format"
            value={format}
            hint={formatWords[format].hint}
            onChange={({ target: select }) => setFormat(select.value as NotificationFormat)}
          >
            {formats.map((one) => (
              <option key={one} value={one}>
                {formatWords[one].name}
              </option>
            ))}
          </SelectField>
          <TextField
            label="URL"
            name="url"
            type="url"
            required
            defaultValue={target?.url ?? ''}
            placeholder="https://"
            autoComplete="off"
            error={faults.url}
          />
        </>
      )}
      <fieldset className={styles.events}>
        <legend>Tell me when</legend>
        {kinds.map((kind) => (
          <CheckField
            key={kind}
            name="events"
            value={kind}
            label={kindWords[kind]}
            defaultChecked={(target?.events ?? needsYou).includes(kind)}
          />
        ))}
        {faults.events !== undefined && <p className={styles.fault}>Choose at least one.</p>}
      </fieldset>
      <RepoChoice chosen={target?.repo_id ?? null} error={faults.repo_id} />
      <TextField
        label="Description"
        name="description"
        hint="For you, to recognize it by. It may stay empty."
        defaultValue={target?.description ?? ''}
        error={faults.description}
      />
      {save.isError && faults.events === undefined && <ErrorNotice error={save.error} />}
      <FormActions>
        <Button type="submit" tone="primary" busy={save.isPending}>
          {target === undefined ? 'Add the webhook' : 'Save'}
        </Button>
        <Button onClick={onClose}>Back</Button>
      </FormActions>
      {target !== undefined && isWebhook && <NewSecret target={target} onSecret={onSecret} />}
    </Form>
  );
}

function RepoChoice({ chosen, error }: { readonly chosen: string | null; readonly error: string | undefined }) {
  const { data: repos = [] } = useQuery(reposQuery);
  return (
    // A choice that is made before the list is there would be lost by its default value.
    <SelectField key={repos.length} label="Repository" name="repo_id" defaultValue={chosen ?? ''} error={error}>
      <option value="">All repositories</option>
      {repos.map(({ id, name }) => (
        <option key={id} value={id}>
          {visibleText(name)}
        </option>
      ))}
      {chosen !== null && !repos.some(({ id }) => id === chosen) && <option value={chosen}>The chosen one</option>}
    </SelectField>
  );
}

function wantedOf(data: FormData, isWebhook: boolean) {
  const chosen = data.getAll('events');
  return {
    ...(isWebhook ? { url: fieldText(data, 'url'), format: data.get('format') as NotificationFormat } : {}),
    events: kinds.filter((kind) => chosen.includes(kind)),
    repo_id: fieldText(data, 'repo_id') || null,
    description: fieldText(data, 'description') || null,
  };
}

/** Shows a secret, for the only time. */
function SecretNotice({ secret }: { readonly secret: string }) {
  return (
    <>
      {/* The button that was pressed is gone. The focus is on no button, or a second Enter would close the dialog. */}
      <p ref={(text) => text?.focus()} tabIndex={-1}>
        Every delivery is signed with this secret. Give it to the receiver now: it is not shown again. A chat needs
        none.
      </p>
      <p className={styles.secret}>
        <code>{secret}</code>
        <CopyButton text={() => secret} label="Copy the secret" />
      </p>
    </>
  );
}

interface NewSecretProps {
  readonly target: NotificationTarget;
  readonly onSecret: (secret: string) => void;
}

/** Gives a webhook a new secret. */
function NewSecret({ target: { id }, onSecret }: NewSecretProps) {
  const changed = useTargetsChanged();
  const rotate = useMutation({
    mutationFn: () => client.notifications.rotateSecret.mutate({ id }),
    onSuccess: ({ secret }) => {
      void changed();
      onSecret(secret);
    },
  });
  return (
    <div className={styles.rotation}>
      <Button busy={rotate.isPending} onClick={() => rotate.mutate()}>
        Make a new secret
      </Button>
      <span className={styles.soft}>The old one signs beside it for a day.</span>
      {rotate.isError && <ErrorNotice error={rotate.error} />}
    </div>
  );
}
