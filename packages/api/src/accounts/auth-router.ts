import { confirmCodehostCliLogin } from '../code-host/confirm-cli-login.procedure.ts';
import { finishCodehostCliLogin } from '../code-host/finish-cli-login.procedure.ts';
import { finishCodehostLogin } from '../code-host/finish-login.procedure.ts';
import { startCodehostCliLogin } from '../code-host/start-cli-login.procedure.ts';
import { startCodehostLogin } from '../code-host/start-login.procedure.ts';
import { unlinkCodehost } from '../code-host/unlink.procedure.ts';
import { router } from '../procedure/procedure.ts';
import { getMe } from './get-me.ts';
import { listFailedLogins } from './list-failed-logins.procedure.ts';
import { listSessions } from './list-sessions.ts';
import { login } from './login.procedure.ts';
import { logout } from './logout.procedure.ts';
import { updateMe } from './me.procedure.ts';
import { register } from './register.procedure.ts';
import { revokeSession } from './sessions.procedure.ts';

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
