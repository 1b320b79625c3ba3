-- One row or two in every table of the first schema: what later migrations must keep.
insert into users (id, email, email_key, name, created_at) values
  ('00000000-0000-7000-8000-0000000000a1', 'ada@example.test', 'ada@example.test', 'Ada', 1795166100000),
  ('00000000-0000-7000-8000-0000000000a2', 'bob@example.test', 'bob@example.test', null, 1795166100000);
insert into credentials (user_id, password_hash, updated_at) values
  ('00000000-0000-7000-8000-0000000000a1', '$argon2id$hash', 1795166100000);
insert into sessions (id, user_id, created_at, expires_at) values
  ('00000000-0000-7000-8000-0000000000b1', '00000000-0000-7000-8000-0000000000a1', 1795166100000, 1795770900000);
insert into repos (id, user_id, name, url, canonical_remote, default_branch, provider, settings, created_at, updated_at) values
  ('00000000-0000-7000-8000-0000000000c1', '00000000-0000-7000-8000-0000000000a1', 'acme/sum', 'https://example.test/acme/sum', 'https://example.test/acme/sum', 'main', 'git', '{}', 1795166100000, 1795166100000);
insert into slots (number, retired) values (1, 0), (2, 0);
insert into issues (id, user_id, repo_id, title, body, origin, labels, base_branch, status, stage, pipeline, plan_revision, input_tokens, output_tokens, cost_usd, active_remote, slot, lease_epoch, created_at, updated_at, queued_at, started_at, last_seq) values
  ('00000000-0000-7000-8000-0000000000d1', '00000000-0000-7000-8000-0000000000a1', '00000000-0000-7000-8000-0000000000c1', 'Sum', '', 'api', '[]', 'main', 'running', 'implement', '{}', 1, 10, 20, null, 'https://example.test/acme/sum', 2, 3, 1795166100000, 1795166100000, 1795166100000, 1795166100000, 2);
insert into issues (id, user_id, repo_id, title, body, origin, labels, parent_issue_id, base_branch, status, pipeline, input_tokens, output_tokens, cost_usd, lease_epoch, created_at, updated_at, last_seq) values
  ('00000000-0000-7000-8000-0000000000d2', '00000000-0000-7000-8000-0000000000a1', '00000000-0000-7000-8000-0000000000c1', 'Later', '', 'follow_up', '["x"]', '00000000-0000-7000-8000-0000000000d1', 'main', 'pending', '{}', 0, 0, 0, 0, 1795166100000, 1795166100000, 1);
insert into plans (issue_id, revision, document) values
  ('00000000-0000-7000-8000-0000000000d1', 1, '{"revision":1}');
insert into events (issue_id, seq, type, data, at) values
  ('00000000-0000-7000-8000-0000000000d1', 1, 'user.message', '{"text":"a"}', 1795166100000),
  ('00000000-0000-7000-8000-0000000000d1', 2, 'user.message', '{"text":"b"}', 1795166100000),
  ('00000000-0000-7000-8000-0000000000d2', 1, 'user.message', '{"text":"c"}', 1795166100000);
insert into steps (issue_id, stage, round, attempt, agent, started_at) values
  ('00000000-0000-7000-8000-0000000000d1', 'plan', 1, 1, 'planner', 1795166100000);
insert into journal_entries (issue_id, stage, round, entry) values
  ('00000000-0000-7000-8000-0000000000d1', 'plan', 1, '{"kind":"begin","callId":"1"}');
insert into patches (issue_id, base_commit, files, diff, updated_at) values
  ('00000000-0000-7000-8000-0000000000d1', 'ba5e', '[]', '', 1795166100000);
insert into command_log (issue_id, seq, command, stream, text, at) values
  ('00000000-0000-7000-8000-0000000000d1', 1, 'ls', 'stdout', 'a', 1795166100000);
