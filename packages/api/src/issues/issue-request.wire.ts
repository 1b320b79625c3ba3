import { type CreatedField, type EditedField, editedFields, issueBounds, issueFields } from '@sluice/core/issue';
import * as z from 'zod';
import { bytesOfText, text } from '../input/text.ts';

/** What a request may give for a field of an issue, in the order in which it is documented. */
const given = {
  title: text({ min: 1, max: issueBounds.titleCharacters, line: true }),
  body: bytesOfText(issueBounds.bodyBytes).describe('At most 64 KiB; may be empty.'),
  base_branch: text({ min: 1, max: 255, line: true }),
  labels: z.array(text({ min: 1, max: issueBounds.labelCharacters, line: true })).max(issueBounds.labels),
} satisfies Record<CreatedField | EditedField, z.ZodType>;

type Given = typeof given;
type IsOptional<Name extends CreatedField> = (typeof issueFields)[Name]['uses']['created'] extends 'optional'
  ? true
  : false;

/** The fields of a request that creates an issue. */
export const createdIssueShape = Object.fromEntries(
  Object.entries(given)
    .filter(([name]) => 'created' in issueFields[name as keyof Given].uses)
    .map(([name, schema]) => [name, isOptional(name as CreatedField) ? schema.optional() : schema]),
) as { [Name in CreatedField]: IsOptional<Name> extends true ? z.ZodOptional<Given[Name]> : Given[Name] };

/** The fields of a request that edits an issue; what it leaves out stays as it is. */
export const editedIssueShape = Object.fromEntries(editedFields.map((name) => [name, given[name].optional()])) as {
  [Name in EditedField]: z.ZodOptional<Given[Name]>;
};

function isOptional(name: CreatedField): boolean {
  return issueFields[name].uses.created === 'optional';
}
