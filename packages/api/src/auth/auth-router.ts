import { confirmCodehostCliLogin } from '../codehost/confirm-codehost-cli-login.ts';
import { finishCodehostCliLogin } from '../codehost/finish-codehost-cli-login.ts';
import { finishCodehostLogin } from '../codehost/finish-codehost-login.ts';
import { startCodehostCliLogin } from '../codehost/start-codehost-cli-login.ts';
import { startCodehostLogin } from '../codehost/start-codehost-login.ts';
import { unlinkCodehost } from '../codehost/unlink-codehost.ts';
import { router } from '../procedure/procedure.ts';
import { getMe } from './get-me.ts';
import { listFailedLogins } from './list-failed-logins.ts';
import { listSessions } from './list-sessions.ts';
import { login } from './login.ts';
import { logout } from './logout.ts';
import { register } from './register.ts';
import { revokeSession } from './revoke-session.ts';
import { updateMe } from './update-me.ts';

export const authRouter = router({
  register,
  login,
  logout,
  me: getMe,
  updateMe,
  sessions: listSessions,
  failedLogins: listFailedLogins,
  revokeSession,
  startCodehostLogin,
  finishCodehostLogin,
  startCodehostCliLogin,
  confirmCodehostCliLogin,
  finishCodehostCliLogin,
  unlinkCodehost,
});
