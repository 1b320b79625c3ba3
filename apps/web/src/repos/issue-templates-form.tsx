import type { Repo } from '@sluice/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { repoQuery, reposQuery } from '../session/queries.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import styles from './issue-templates-form.module.css';
import { LeaveGuard } from './leave-guard.tsx';

type IssueTemplate = Repo['settings']['issue_templates'][number];

const MOST_TEMPLATES = 10; // the server takes no more
const blank: IssueTemplate = { name: '', title: '', body: '' };

/** What new issues of a repository may begin with. The templates are saved together. */
export function IssueTemplatesForm({ repo }: { readonly repo: Repo }) {
  const [edited, setEdited] = useState<readonly IssueTemplate[] | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (templates: readonly IssueTemplate[]) =>
      client.repos.update.mutate({ id: repo.id, settings: { issue_templates: [...templates] } }),
    onSuccess: (saved) => {
      queries.setQueryData(repoQuery(repo.id).queryKey, saved);
      void queries.invalidateQueries({ queryKey: reposQuery.queryKey });
      setEdited(null);
      addButton.current?.focus();
    },
  });
  const templates = edited ?? repo.settings.issue_templates;
  const faults = fieldErrors(save.error);
  return (
    <Form
      onSubmit={() => {
        if (edited !== null && !save.isPending) save.mutate(edited);
      }}
    >
      {templates.map((template, place) => (
        <TemplateFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a template is nothing but its place in the list while it is edited
          key={place}
          place={place}
          template={template}
          faults={faults}
          onChange={(changed) => setEdited(templates.with(place, changed))}
          onRemove={() => {
            setEdited(templates.toSpliced(place, 1));
            addButton.current?.focus(); // the button that was pressed goes
          }}
        />
      ))}
      {save.isError && <ErrorNotice error={save.error} />}
      <FormActions>
        {templates.length < MOST_TEMPLATES && (
          <Button ref={addButton} onClick={() => setEdited([...templates, blank])}>
            Add a template
          </Button>
        )}
        {edited !== null && (
          <>
            <Button type="submit" tone="primary" busy={save.isPending}>
              Save the templates
            </Button>
            <Button
              onClick={() => {
                setEdited(null);
                save.reset();
                addButton.current?.focus();
              }}
            >
              Discard
            </Button>
          </>
        )}
        <span role="status">{edited !== null ? 'Unsaved changes' : save.isSuccess ? 'Saved' : ''}</span>
      </FormActions>
      <LeaveGuard isOn={edited !== null} />
    </Form>
  );
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
