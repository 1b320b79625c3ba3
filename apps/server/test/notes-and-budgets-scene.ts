import { call } from './model-answers.ts';
import { fixingIssue } from './scratch-repo.ts';

export const repair = call('edit_file', { path: 'value.txt', old_text: 'broken', new_text: 'fixed' });

export const look = call('read_file', { path: 'value.txt' });

export const issue = { title: fixingIssue.title, body: 'The check says that the value is broken. Mend it.' };
