import type { Repo } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { repoQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './issue-templates-form.module.css';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { useKeepRepo } from './use-keep-repo.ts';

type IssueTemplate = Repo['settings']['issue_templates'][number];

const MAX_TEMPLATES = 10; // the server takes no more
const blank: IssueTemplate = { name: '', title: '', body: '' };

interface Edit {
  /** The stored templates when the edit began. */
  readonly base: readonly IssueTemplate[];
  readonly templates: readonly IssueTemplate[];
}

/**
 * The templates for new issues of a repository. They are saved together, so they are read again before: a change that
 * was saved elsewhere meanwhile is replaced only on purpose.
 */
export function IssueTemplatesForm({ repo }: { readonly repo: Repo }) {
  const [edit, setEdit] = useState<Edit | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const queries = useQueryClient();
  const keepRepo = useKeepRepo();
  const save = useMutation({
    mutationFn: async ({ base, templates }: Edit) => {
      const { settings } = await queries.fetchQuery({ ...repoQuery(repo.id), staleTime: 0 });
      if (!isSame(settings.issue_templates, base)) return null;
      return client.repos.update.mutate({ id: repo.id, settings: { issue_templates: [...templates] } });
    },
    onSuccess: (saved, sent) => {
      if (edit === null || edit === sent || saved === null) addButton.current?.focus(); // the button that was pressed goes
      if (saved === null) return;
      keepRepo(saved);
      // What was typed meanwhile stays.
      setEdit((now) => (now === null || now === sent ? null : { ...now, base: saved.settings.issue_templates }));
    },
  });
  const stored = repo.settings.issue_templates;
  const templates = edit?.templates ?? stored;
  const isOutdated = edit !== null && !isSame(edit.base, stored);
  const change = (changed: readonly IssueTemplate[]) => setEdit({ base: edit?.base ?? stored, templates: changed });
  const discard = () => {
    setEdit(null);
    save.reset();
    addButton.current?.focus(); // the button that was pressed goes
  };
  const faults = fieldErrors(save.error);
  return (
    <Form
      onSubmit={() => {
        if (edit !== null && !isOutdated && !save.isPending) save.mutate(edit);
      }}
    >
      {templates.map((template, place) => (
        <TemplateFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a template is nothing but its place in the list while it is edited
          key={place}
          place={place}
          template={template}
          faults={faults}
          onChange={(changed) => change(templates.with(place, changed))}
          onRemove={() => {
            change(templates.toSpliced(place, 1));
            save.reset(); // its faults name templates by their place
            addButton.current?.focus(); // the button that was pressed goes
          }}
        />
      ))}
      {save.isError && <ErrorNotice error={save.error} />}
      {isOutdated && (
        <Notice
          tone="warn"
          action={
            <>
              <Button onClick={discard}>Load them</Button>
              <Button tone="danger" onClick={() => setEdit({ base: stored, templates })}>
                Keep mine
              </Button>
            </>
          }
        >
          The templates were changed elsewhere since you began. Load them, which drops your changes, or keep yours,
          which replace them when you save.
        </Notice>
      )}
      <FormActions>
        {templates.length < MAX_TEMPLATES && (
          <Button ref={addButton} onClick={() => change([...templates, blank])}>
            Add a template
          </Button>
        )}
        {edit !== null && !isOutdated && (
          <>
            <Button type="submit" tone="primary" busy={save.isPending}>
              Save the templates
            </Button>
            <Button onClick={discard}>Discard</Button>
          </>
        )}
        <span role="status">{edit !== null ? 'Unsaved changes' : save.isSuccess ? 'Saved' : ''}</span>
      </FormActions>
      <UnsavedGuard isOn={edit !== null} />
    </Form>
  );
}

function isSame(one: readonly IssueTemplate[], other: readonly IssueTemplate[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other); // both as the server wrote them
}

interface TemplateFieldsProps {
  readonly place: number;
  readonly template: IssueTemplate;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (template: IssueTemplate) => void;
  readonly onRemove: () => void;
}

function TemplateFields({ place, template, faults, onChange, onRemove }: TemplateFieldsProps) {
  const field = (name: keyof IssueTemplate) => ({
    value: template[name],
    error: faults[`settings.issue_templates.${place}.${name}`],
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...template, [name]: target.value }),
  });
  return (
    <fieldset className={styles.template}>
      <legend>Template {place + 1}</legend>
      <TextField label="Name of the template" hint="How it is chosen, such as “Bug”." {...field('name')} />
      <TextField label="Title" hint="What the title begins with. May stay empty." {...field('title')} />
      <TextArea label="Description" rows={6} hint="Markdown, such as headings to fill in." {...field('body')} />
      <div>
        <Button tone="danger" onClick={onRemove}>
          Remove template {place + 1}
        </Button>
      </div>
    </fieldset>
  );
}
