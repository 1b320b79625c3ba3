import type { Member } from '@sluice/client';
import { shortId } from '../format/short-id.ts';
import { visibleText } from '../format/visible-text.ts';

/** What a member is called by: their name, else their e-mail, their login at the code host, or the end of their id. */
export function memberName({ user_id: id, name, email, codehost_login: login }: Member): string {
  return visibleText(name || email || login || `member ${shortId(id)}`);
}
