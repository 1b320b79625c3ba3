import type { Repo } from '@sluice/client';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { client } from '../session/client.ts';
import { fieldErrors } from '../session/error-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Form, FormActions } from '../ui/form.tsx';
import {
  approvalCounts,
  editsSince,
  type RepoChange,
  type RepoForm,
  type RepoSwitch,
  repoChange,
  repoChoices,
  repoForm,
  repoSwitches,
} from './repo-change.ts';
import styles from './repo-settings-form.module.css';
import { UnsavedGuard } from './unsaved-guard.tsx';
import { useKeepRepo } from './use-keep-repo.ts';

interface SentChange {
  readonly changes: RepoChange;
  /** The edits that it was made of. */
  readonly sent: Partial<RepoForm>;
}

/** Everything about a repository that its user may change, but its token. */
export function RepoSettingsForm({ repo }: { readonly repo: Repo }) {
  const [edits, setEdits] = useState<Partial<RepoForm>>({});
  const keepRepo = useKeepRepo();
  const change = repoChange(repo, edits);
  const save = useMutation({
    mutationFn: ({ changes }: SentChange) => client.repos.update.mutate(changes),
    onSuccess: (saved, { sent }) => {
      keepRepo(saved);
      setEdits((now) => editsSince(sent, now));
    },
  });
  const form = { ...repoForm(repo), ...edits };
  const faults = fieldErrors(save.error);
  const isHosted = repo.provider === 'codehost';
  const text = (
    name: Exclude<keyof RepoForm, keyof typeof switchTexts | keyof typeof choiceTexts | keyof typeof approvalTexts>,
  ) => ({
    value: form[name],
    error: faults[name] ?? faults[`settings.${name}`],
    onChange: ({ target }: { target: { value: string } }) => setEdits((now) => ({ ...now, [name]: target.value })),
  });
  return (
    <Form
      onSubmit={() => {
        if (change !== null && !save.isPending) save.mutate({ changes: change, sent: edits });
      }}
    >
      <TextField label="Name" hint="How Sluice calls it; its address stays as it is." {...text('name')} />
      <TextField
        label="Default branch"
        hint="Where changes start from. It must exist."
        spellCheck={false}
        {...text('default_branch')}
      />
      <TextArea
        label="Test command"
        rows={2}
        hint="Decides whether a change is published. Empty: it is detected from the project's files."
        spellCheck={false}
        {...text('test_command')}
      />
      <TextArea
        label="Setup command"
        rows={2}
        hint="Installs what the tests need. Empty: it is detected from the project's files."
        spellCheck={false}
        {...text('setup_command')}
      />
      <TextArea
        label="Instructions for the agents"
        rows={8}
        hint="What every change here must keep to: conventions, what not to touch."
        {...text('instructions')}
      />
      {repoSwitches
        .filter((name) => isHosted || switchTexts[name].isHosted !== true)
        .map((name) => (
          <CheckField
            key={name}
            label={switchTexts[name].label}
            hint={switchTexts[name].hint}
            checked={form[name]}
            onChange={({ target }) => setEdits((now) => ({ ...now, [name]: target.checked }))}
          />
        ))}
      {approvalCounts.map((name) => (
        <SelectField
          key={name}
          label={approvalTexts[name].label}
          hint={approvalTexts[name].hint}
          value={form[name]}
          onChange={({ target }) => setEdits((now) => ({ ...now, [name]: target.value }))}
        >
          <option value="1">One person</option>
          <option value="2">Two different people</option>
        </SelectField>
      ))}
      {isHosted &&
        repoChoices.map((name) => (
          <SelectField
            key={name}
            label={choiceTexts[name].label}
            hint={choiceTexts[name].hint}
            value={form[name]}
            onChange={({ target }) => setEdits((now) => ({ ...now, [name]: target.value }))}
          >
            {Object.entries(choiceTexts[name].values).map(([value, meaning]) => (
              <option key={value} value={value}>
                {meaning}
              </option>
            ))}
          </SelectField>
        ))}
      {isHosted && (
        <TextField
          label="Review bots"
          hint="Logins of bots at the code host, separated by commas, whose reviews are carried out."
          spellCheck={false}
          {...text('review_bots')}
        />
      )}
      {isHosted && (
        <TextField
          label="Label that imports an issue"
          hint="Open issues of the code host with this label are imported. Empty: none are."
          {...text('label_trigger')}
        />
      )}
      {save.isError && <ErrorNotice error={save.error} />}
      <SaveBar
        isChanged={change !== null}
        isSaving={save.isPending}
        isSaved={save.isSuccess}
        onDiscard={() => {
          setEdits({});
          save.reset();
        }}
      />
      <UnsavedGuard isOn={change !== null} />
    </Form>
  );
}

interface SaveBarProps {
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  readonly onDiscard: () => void;
}

/** Stays in sight while something is unsaved. */
function SaveBar({ isChanged, isSaving, isSaved, onDiscard }: SaveBarProps) {
  const saveButton = useRef<HTMLButtonElement>(null);
  const discard = () => {
    onDiscard();
    saveButton.current?.focus(); // the button that was pressed goes
  };
  return (
    <div className={styles.bar} data-changed={isChanged ? '' : undefined}>
      <FormActions>
        <Button ref={saveButton} type="submit" tone={isChanged ? 'primary' : 'plain'} busy={isSaving}>
          Save
        </Button>
        {isChanged && <Button onClick={discard}>Discard</Button>}
        <span role="status">{isChanged ? 'Unsaved changes' : isSaved ? 'Saved' : ''}</span>
      </FormActions>
    </div>
  );
}

type RepoChoice = (typeof repoChoices)[number];

interface ChoiceText<Value extends string> {
  readonly label: string;
  readonly hint: string;
  readonly values: Readonly<Record<Value, string>>;
}

/** What each setting with a few values does. They all need the pull requests of the code host. */
const choiceTexts: { readonly [Name in RepoChoice]: ChoiceText<RepoForm[Name]> } = {
  follow_build: {
    label: 'The build of a pull request',
    hint: 'A failure that the coder fixes within the approved files needs no new approval; beyond them, you are asked.',
    values: { off: 'Leave it alone', watch: 'Show its verdict', fix: 'Have failures fixed' },
  },
  follow_base: {
    label: 'A base branch that moved',
    hint: 'It is merged into the branch and tested again. Conflicts beyond the approved files wait for you.',
    values: { off: 'Leave it alone', watch: 'Say so in the issue', merge: 'Merge it where needed' },
  },
};

/** How many people have to approve. */
const approvalTexts = {
  plan_approvals: { label: 'Approvals of a plan', hint: 'A gate that waits keeps the stricter rule.' },
  publish_approvals: {
    label: 'Approvals before publishing',
    hint: 'For a change that needs the word of a person before it is pushed.',
  },
} as const;

interface SwitchText {
  readonly label: string;
  readonly hint: string;
  /** It works only with the issues or pull requests of the code host. */
  readonly isHosted?: true;
}

/** The effect of each setting of a repository. */
const switchTexts: Readonly<Record<RepoSwitch, SwitchText>> = {
  requester_approves: {
    label: 'Let people approve issues that they created',
    hint: 'Off: somebody else has to approve the plan and the publication. Instructing and rejecting stay possible.',
  },
  test_before_gate: {
    label: 'Run the tests before a plan is made',
    hint: 'A test command that cannot run ends the issue at once, before it costs anything. Off: the tests run after you approve the plan.',
  },
  allow_red_base: {
    label: 'Let the built-in model pass beside failing tests',
    hint: 'Its change may pass although tests fail, if all of them failed at the base commit too. For other models that is so anyway.',
  },
  setup_network: {
    label: 'Give the setup command the network',
    hint: 'It may reach the package registries that the operator allows. Tests and agents never have a network.',
  },
  draft_change_request: {
    label: 'Open pull requests as drafts',
    hint: 'They are made ready when the build has passed, or by a person. Off: reviewers are asked at once.',
    isHosted: true,
  },
  auto_run: {
    label: 'Start labelled issues by themselves',
    hint: 'Issues with the label below start when they are imported, and stop at the gate like every other. Anybody who can set labels there causes costs.',
    isHosted: true,
  },
  mirror_members: {
    label: 'Take members over from the code host',
    hint: 'Those with access there are members here once their account is linked: read as viewer, write as approver, admin as admin. A role given below stays.',
    isHosted: true,
  },
};
