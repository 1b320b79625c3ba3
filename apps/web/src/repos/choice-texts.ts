import type { RepoForm, repoChoices } from './repo-change.ts';

type RepoChoice = (typeof repoChoices)[number];

interface ChoiceText<Value extends string> {
  readonly label: string;
  readonly hint: string;
  readonly values: Readonly<Record<Value, string>>;
}

/** What each setting with a few values does. They all need the pull requests of the code host. */
export const choiceTexts: { readonly [Name in RepoChoice]: ChoiceText<RepoForm[Name]> } = {
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
export const approvalTexts = {
  plan_approvals: { label: 'Approvals of a plan', hint: 'A gate that waits keeps the stricter rule.' },
  publish_approvals: {
    label: 'Approvals before publishing',
    hint: 'For a change that needs the word of a person before it is pushed.',
  },
} as const;
