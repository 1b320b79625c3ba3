import { describe, expect, it } from 'vitest';
import { createdFields, domainName, editedFields, fieldsOf, issueFields, listedFields } from './issue-fields.ts';

describe('the fields of an issue', () => {
  it('are called in the domain as on the wire, in camel case', () => {
    expect(['id', 'base_branch', 'parent_issue_id'].map((name) => domainName(name as 'id'))).toEqual([
      'id',
      'baseBranch',
      'parentIssueId',
    ]);
  });

  it('are read from a request by their names in the domain, without those that it leaves out', () => {
    const request = { title: 'Sum', base_branch: 'main', labels: undefined, queue: true };
    expect(fieldsOf(createdFields, request)).toStrictEqual({ title: 'Sum', baseBranch: 'main' });
    expect(fieldsOf(editedFields, request)).toStrictEqual({ title: 'Sum' });
  });

  it('are in a summary unless they are long texts, in the order of the wire', () => {
    const order = Object.keys(issueFields);
    expect(listedFields).toEqual(order.filter((name) => listedFields.some((listed) => listed === name)));
    expect(order.filter((name) => !listedFields.some((listed) => listed === name))).toEqual(
      expect.arrayContaining(['body', 'plan', 'gate', 'result']),
    );
  });
});
