import type { SluiceClient } from '@sluice/client';
import type { CreatedField, EditedField, FilteredField } from '@sluice/core/issue';
import type { Command } from 'commander';

type Calls = SluiceClient['issues'];
type CreatedFields = Partial<Pick<Parameters<Calls['create']['mutate']>[0], CreatedField>>;
type EditedFields = Partial<Pick<Parameters<Calls['update']['mutate']>[0], EditedField>>;
type ListFilter = Partial<Pick<Extract<Parameters<Calls['list']['query']>[0], object>, FilteredField>>;

/** An option that gives a field of an issue. */
interface FieldOption {
  /** What commander calls its value. */
  readonly name: string;
  readonly flags: string;
  readonly description: string;
}

type FieldOptions<Field extends string = string> = Readonly<Record<Field, FieldOption | null>>;

/** The options of `issues create`, by the field of the new issue. Null: another option or the text gives it. */
export const createOptions: FieldOptions<CreatedField> = {
  title: null,
  body: null,
  base_branch: {
    name: 'base',
    flags: '--base <branch>',
    description: "branch to start from (default: the repository's default branch)",
  },
  labels: { name: 'label', flags: '--label <label...>', description: 'labels of the issue' },
};

/** The options of `issues edit`, by the field that is changed. Null: another option or the text gives it. */
export const editOptions: FieldOptions<EditedField> = { title: null, body: null };

/** The options of `issues list`, by the field to whose value the list is narrowed. Null: the command has none. */
export const listOptions: FieldOptions<FilteredField> = { origin: null };

/** Adds the options of the fields to a command. */
export function addFieldOptions(command: Command, options: FieldOptions): Command {
  for (const option of Object.values(options)) {
    if (option !== null) command.option(option.flags, option.description);
  }
  return command;
}

export const createdFields = (given: object): CreatedFields => fieldsOf(createOptions, given);
export const editedFields = (given: object): EditedFields => fieldsOf(editOptions, given);
export const listFilter = (given: object): ListFilter => fieldsOf(listOptions, given);

/** The fields whose options were given. The server checks their values. */
function fieldsOf(options: FieldOptions, given: object) {
  const values = new Map<string, unknown>(Object.entries(given));
  const fields = Object.entries(options).map(([field, option]) => [field, option && values.get(option.name)]);
  return Object.fromEntries(fields.filter(([, value]) => value != null));
}
