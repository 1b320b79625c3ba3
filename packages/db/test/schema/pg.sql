CREATE TABLE "account_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"purpose" text NOT NULL,
	"email_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "api_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"repo_id" text,
	"name" text NOT NULL,
	"scope" text NOT NULL,
	"hash" text NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"last_client" text,
	"revoked_at" timestamp (3) with time zone
);

CREATE TABLE "attachments" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "attachments_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"issue_id" text,
	"name" text NOT NULL,
	"media_type" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer,
	"height" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"content" "bytea" NOT NULL,
	CONSTRAINT "attachments_id" UNIQUE("id"),
	CONSTRAINT "attachments_expire_unused" CHECK ((issue_id is null) = (expires_at is not null))
);

CREATE TABLE "audit_entries" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" text,
	"actor" text NOT NULL,
	"session_id" text,
	"token_id" text,
	"action" text NOT NULL,
	"subject_id" text,
	"repo_id" text,
	"detail" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "audit_seals" (
	"number" bigint PRIMARY KEY NOT NULL,
	"previous_number" bigint NOT NULL,
	"previous" text,
	"from_ordinal" bigint NOT NULL,
	"to_ordinal" bigint NOT NULL,
	"entries" integer NOT NULL,
	"total" bigint NOT NULL,
	"digest" text NOT NULL,
	"key_id" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"mac" text NOT NULL
);

CREATE TABLE "budgets" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"cost_usd" double precision,
	"tokens" bigint,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "budgets_pk" PRIMARY KEY("kind","subject")
);

CREATE TABLE "change_requests" (
	"repo_id" text NOT NULL,
	"number" integer NOT NULL,
	"issue_id" text NOT NULL,
	"opened_at" timestamp (3) with time zone NOT NULL,
	"state" text NOT NULL,
	"ready_at" timestamp (3) with time zone,
	"merged_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"reverted_at" timestamp (3) with time zone,
	"head_commit" text,
	"people_commits" integer DEFAULT 0 NOT NULL,
	"review_rounds" integer DEFAULT 0 NOT NULL,
	"build_rounds" integer DEFAULT 0 NOT NULL,
	"first_build" text,
	"build" jsonb,
	"close_asked_at" timestamp (3) with time zone,
	"close_reason" text,
	"close_note" text,
	"close_answered_by" text,
	"close_answered_at" timestamp (3) with time zone,
	"models" jsonb NOT NULL,
	"prompt_revision" text,
	"at_first_sight" boolean,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "change_requests_pk" PRIMARY KEY("repo_id","number"),
	CONSTRAINT "change_requests_answer_whole" CHECK ((close_reason is null) = (close_answered_by is null) and (close_reason is null) = (close_answered_at is null))
);

CREATE TABLE "checkpoints" (
	"issue_id" text NOT NULL,
	"kind" text NOT NULL,
	"commit" text NOT NULL,
	"object" text NOT NULL,
	"patch" "bytea" NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checkpoints_pk" PRIMARY KEY("issue_id","kind")
);

CREATE TABLE "codehost_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "codehost_flows" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "codehost_grants" (
	"user_id" text PRIMARY KEY NOT NULL,
	"codehost_token_encrypted" text,
	"codehost_token_nonce" text,
	"expires_at" timestamp (3) with time zone,
	"version" integer NOT NULL,
	"refused" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "codehost_grants_token_whole" CHECK ((codehost_token_encrypted is null) = (codehost_token_nonce is null))
);

CREATE TABLE "codehost_inbox" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "codehost_inbox_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"codehost_repo_id" text NOT NULL,
	"kind" text NOT NULL,
	"number" integer NOT NULL,
	"mark" integer NOT NULL,
	"marked_at" timestamp (3) with time zone NOT NULL,
	"run_after" timestamp (3) with time zone,
	"owner" text,
	"held_until" timestamp (3) with time zone,
	"failures" integer NOT NULL,
	CONSTRAINT "codehost_inbox_hold_whole" CHECK ((owner is null) = (held_until is null)),
	CONSTRAINT "codehost_inbox_held_while_marked" CHECK (owner is null or run_after is not null)
);

CREATE TABLE "codehost_polls" (
	"codehost_repo_id" text PRIMARY KEY NOT NULL,
	"cursor" text,
	"due_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "codehost_removals" (
	"repo_id" text NOT NULL,
	"origin" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "codehost_removals_pk" PRIMARY KEY("repo_id","origin")
);

CREATE TABLE "codehost_sites" (
	"id" integer PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "codehost_sites_one" CHECK (id = 1)
);

CREATE TABLE "command_log" (
	"issue_id" text NOT NULL,
	"seq" integer NOT NULL,
	"command" text NOT NULL,
	"run_seq" integer,
	"stream" text NOT NULL,
	"text" text NOT NULL,
	"left_out" jsonb,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "command_log_pk" PRIMARY KEY("issue_id","seq")
);

CREATE TABLE "credentials" (
	"user_id" text PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "estimates" (
	"issue_id" text NOT NULL,
	"revision" integer NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	"size" integer NOT NULL,
	"estimate" jsonb NOT NULL,
	"cost_before" double precision,
	"active_ms_before" bigint NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"cost_usd" double precision,
	"active_ms" bigint,
	CONSTRAINT "estimates_pk" PRIMARY KEY("issue_id","revision")
);

CREATE TABLE "events" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"issue_id" text NOT NULL,
	"seq" integer NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"user_id" text
);

CREATE TABLE "failed_logins" (
	"user_id" text NOT NULL,
	"day" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "failed_logins_pk" PRIMARY KEY("user_id","day")
);

CREATE TABLE "installation" (
	"id" integer PRIMARY KEY NOT NULL,
	"epoch" text NOT NULL,
	CONSTRAINT "installation_once" CHECK (id = 1)
);

CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"email" text NOT NULL,
	"email_key" text NOT NULL,
	"user_id" text NOT NULL,
	"repo_id" text,
	"role" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"used_by" text,
	CONSTRAINT "invitations_role" CHECK ((repo_id is null) = (role is null)),
	CONSTRAINT "invitations_used" CHECK ((used_at is null) = (used_by is null))
);

CREATE TABLE "issues" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "issues_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"repo_id" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"origin" text NOT NULL,
	"labels" jsonb NOT NULL,
	"parent_issue_id" text,
	"codehost_number" integer,
	"codehost_url" text,
	"codehost_comment_id" text,
	"change_request_number" integer,
	"change_request_state" text,
	"base_branch" text NOT NULL,
	"status" text NOT NULL,
	"stage" text,
	"pipeline" jsonb NOT NULL,
	"plan_revision" integer,
	"gate" jsonb,
	"gate_expires_at" timestamp (3) with time zone,
	"result" jsonb,
	"error" jsonb,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_usd" double precision,
	"notes_seq" integer DEFAULT 0 NOT NULL,
	"notes_read_seq" integer DEFAULT 0 NOT NULL,
	"active_remote" text,
	"queue_ordinal" bigint,
	"waiting_ordinal" bigint,
	"held_by_budget" text,
	"slot" integer,
	"lease_owner" text,
	"lease_epoch" integer NOT NULL,
	"lease_expires_at" timestamp (3) with time zone,
	"run_after" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"queued_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"last_seq" integer NOT NULL,
	CONSTRAINT "issues_id" UNIQUE("id"),
	CONSTRAINT "issues_status_known" CHECK (status in ('pending', 'running', 'human_review', 'awaiting_approval', 'completed', 'rejected', 'failed', 'cancelled')),
	CONSTRAINT "issues_slot_while_running" CHECK (status in ('awaiting_approval') or (slot is not null) = (status in ('running', 'human_review'))),
	CONSTRAINT "issues_queue_while_pending" CHECK (queue_ordinal is null or status in ('pending')),
	CONSTRAINT "issues_queued_at_while_queued" CHECK (status not in ('pending') or (queue_ordinal is null) = (queued_at is null)),
	CONSTRAINT "issues_remote_while_active" CHECK ((active_remote is not null) = (slot is not null or queue_ordinal is not null or status in ('awaiting_approval'))),
	CONSTRAINT "issues_lease_whole" CHECK ((lease_owner is null) = (lease_expires_at is null))
);

CREATE TABLE "journal_entries" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "journal_entries_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"issue_id" text NOT NULL,
	"stage" text NOT NULL,
	"round" integer NOT NULL,
	"entry" jsonb NOT NULL
);

CREATE TABLE "login_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"purpose" text NOT NULL,
	"password_digest" text NOT NULL,
	"session_id" text,
	"to_sign" text,
	"attempts" integer NOT NULL,
	"codes" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "login_grants" (
	"grant_hash" text PRIMARY KEY NOT NULL,
	"challenge" text NOT NULL,
	"user_id" text NOT NULL,
	"oidc_issuer" text,
	"oidc_sid" text,
	"expires_at" timestamp (3) with time zone NOT NULL
);

CREATE TABLE "notification_deliveries" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_deliveries_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"message_id" text NOT NULL,
	"target_id" text NOT NULL,
	"issue_id" text,
	"notification" jsonb NOT NULL,
	"status" text NOT NULL,
	"attempts" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"owner" text,
	"held_until" timestamp (3) with time zone,
	"last_status" integer,
	"last_error" text,
	"latency_ms" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "notification_deliveries_id" UNIQUE("id"),
	CONSTRAINT "notification_deliveries_due_while_pending" CHECK ((status = 'pending') = (next_attempt_at is not null)),
	CONSTRAINT "notification_deliveries_ended_whole" CHECK ((status = 'pending') = (ended_at is null)),
	CONSTRAINT "notification_deliveries_hold_whole" CHECK ((owner is null) = (held_until is null)),
	CONSTRAINT "notification_deliveries_held_while_pending" CHECK (owner is null or status = 'pending')
);

CREATE TABLE "notification_secrets" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_secrets_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"target_id" text NOT NULL,
	"encrypted" text NOT NULL,
	"nonce" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	CONSTRAINT "notification_secrets_id" UNIQUE("id")
);

CREATE TABLE "notification_targets" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_targets_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"channel" text NOT NULL,
	"url" text,
	"format" text NOT NULL,
	"events" jsonb NOT NULL,
	"repo_id" text,
	"description" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"disabled_at" timestamp (3) with time zone,
	"disabled_reason" text,
	CONSTRAINT "notification_targets_id" UNIQUE("id"),
	CONSTRAINT "notification_targets_url_of_webhook" CHECK ((channel = 'webhook') = (url is not null)),
	CONSTRAINT "notification_targets_disabled_whole" CHECK ((disabled_at is null) = (disabled_reason is null))
);

CREATE TABLE "oidc_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" text NOT NULL,
	"made_operator" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "oidc_identities_pk" PRIMARY KEY("issuer","subject")
);

CREATE TABLE "oidc_logout_tokens" (
	"issuer" text NOT NULL,
	"token_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "oidc_logout_tokens_pk" PRIMARY KEY("issuer","token_id")
);

CREATE TABLE "patches" (
	"issue_id" text PRIMARY KEY NOT NULL,
	"base_commit" text NOT NULL,
	"head_commit" text,
	"files" jsonb NOT NULL,
	"diff" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"shown" text
);

CREATE TABLE "plans" (
	"issue_id" text NOT NULL,
	"revision" integer NOT NULL,
	"document" jsonb NOT NULL,
	CONSTRAINT "plans_pk" PRIMARY KEY("issue_id","revision")
);

CREATE TABLE "recovery_codes" (
	"user_id" text NOT NULL,
	"code_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "recovery_codes_pk" PRIMARY KEY("user_id","code_hash")
);

CREATE TABLE "repo_members" (
	"repo_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "repo_members_pk" PRIMARY KEY("repo_id","user_id")
);

CREATE TABLE "repos" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "repos_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"canonical_remote" text NOT NULL,
	"default_branch" text NOT NULL,
	"provider" text NOT NULL,
	"codehost_repo_id" text,
	"setup_command" text,
	"test_command" text,
	"instructions" text,
	"settings" jsonb NOT NULL,
	"access_token" jsonb,
	"code_index" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "repos_id" UNIQUE("id")
);

CREATE TABLE "request_answers" (
	"user_id" text NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"hash" text NOT NULL,
	"answer" jsonb,
	"owner" text,
	"held_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "request_answers_pk" PRIMARY KEY("user_id","route","key"),
	CONSTRAINT "request_answers_held_or_answered" CHECK ((owner is null) = (answer is not null)),
	CONSTRAINT "request_answers_hold_whole" CHECK ((owner is null) = (held_until is null))
);

CREATE TABLE "second_factors" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text,
	"public_key" text,
	"counter" bigint,
	"transports" jsonb,
	"secret_encrypted" text,
	"secret_nonce" text,
	"last_step" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "second_factors_passkey_whole" CHECK ((kind = 'passkey') = (credential_id is not null and public_key is not null and counter is not null and transports is not null)),
	CONSTRAINT "second_factors_totp_whole" CHECK ((kind = 'totp') = (secret_encrypted is not null and secret_nonce is not null and last_step is not null))
);

CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"client" text,
	"last_seen_at" timestamp (3) with time zone,
	"idle_ends_at" timestamp (3) with time zone,
	"must_enroll" boolean DEFAULT false NOT NULL,
	"oidc_issuer" text,
	"oidc_sid" text
);

CREATE TABLE "slots" (
	"number" integer PRIMARY KEY NOT NULL,
	"retired" boolean NOT NULL
);

CREATE TABLE "spending" (
	"month" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_usd" double precision NOT NULL,
	"calls" bigint NOT NULL,
	"unpriced_calls" bigint NOT NULL,
	"warned" boolean DEFAULT false NOT NULL,
	CONSTRAINT "spending_pk" PRIMARY KEY("month","kind","subject")
);

CREATE TABLE "steps" (
	"ordinal" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "steps_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"issue_id" text NOT NULL,
	"stage" text NOT NULL,
	"round" integer NOT NULL,
	"attempt" integer NOT NULL,
	"agent" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"outcome" text,
	"input_tokens" bigint,
	"output_tokens" bigint,
	"cost_usd" double precision,
	"detail" text,
	CONSTRAINT "steps_end_whole" CHECK ((outcome is null) = (finished_at is null))
);

CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text,
	"email_key" text,
	"name" text,
	"avatar_url" text,
	"codehost_id" text,
	"codehost_login" text,
	"disabled_at" timestamp (3) with time zone,
	"is_operator" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"preferences" jsonb,
	"email_verified_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone
);

CREATE TABLE "workers" (
	"id" text PRIMARY KEY NOT NULL,
	"host_name" text NOT NULL,
	"pid" integer NOT NULL,
	"role" text NOT NULL,
	"version" text NOT NULL,
	"concurrency" integer NOT NULL,
	"sandbox" jsonb,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);

ALTER TABLE "account_links" ADD CONSTRAINT "account_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "codehost_grants" ADD CONSTRAINT "codehost_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "codehost_removals" ADD CONSTRAINT "codehost_removals_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "command_log" ADD CONSTRAINT "command_log_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "estimates" ADD CONSTRAINT "estimates_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "events" ADD CONSTRAINT "events_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "failed_logins" ADD CONSTRAINT "failed_logins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_parent_issue_id_issues_id_fk" FOREIGN KEY ("parent_issue_id") REFERENCES "public"."issues"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "issues" ADD CONSTRAINT "issues_slot_slots_number_fk" FOREIGN KEY ("slot") REFERENCES "public"."slots"("number") ON DELETE no action ON UPDATE no action;
ALTER TABLE "journal_entries" ADD CONSTRAINT "journal_entries_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "login_challenges" ADD CONSTRAINT "login_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "login_grants" ADD CONSTRAINT "login_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_target_id_notification_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notification_targets"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "notification_secrets" ADD CONSTRAINT "notification_secrets_target_id_notification_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notification_targets"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "notification_targets" ADD CONSTRAINT "notification_targets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "notification_targets" ADD CONSTRAINT "notification_targets_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "oidc_identities" ADD CONSTRAINT "oidc_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "patches" ADD CONSTRAINT "patches_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "plans" ADD CONSTRAINT "plans_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "repo_members" ADD CONSTRAINT "repo_members_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "repo_members" ADD CONSTRAINT "repo_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "repos" ADD CONSTRAINT "repos_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "request_answers" ADD CONSTRAINT "request_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "steps" ADD CONSTRAINT "steps_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "account_links_user" ON "account_links" USING btree ("user_id","purpose","created_at");
CREATE INDEX "account_links_end" ON "account_links" USING btree ("expires_at");
CREATE UNIQUE INDEX "api_tokens_hash" ON "api_tokens" USING btree ("hash");
CREATE INDEX "api_tokens_user" ON "api_tokens" USING btree ("user_id","id");
CREATE INDEX "api_tokens_repo" ON "api_tokens" USING btree ("repo_id","id") WHERE repo_id is not null;
CREATE INDEX "api_tokens_expired" ON "api_tokens" USING btree ("expires_at");
CREATE INDEX "api_tokens_revoked" ON "api_tokens" USING btree ("revoked_at") WHERE revoked_at is not null;
CREATE INDEX "attachments_of_issue" ON "attachments" USING btree ("issue_id","ordinal") WHERE issue_id is not null;
CREATE INDEX "attachments_of_user" ON "attachments" USING btree ("user_id","bytes");
CREATE INDEX "attachments_unused" ON "attachments" USING btree ("user_id","expires_at") WHERE expires_at is not null;
CREATE INDEX "attachments_by_expiry" ON "attachments" USING btree ("expires_at") WHERE expires_at is not null;
CREATE INDEX "audit_entries_by_user" ON "audit_entries" USING btree ("user_id","ordinal");
CREATE INDEX "audit_entries_by_repo" ON "audit_entries" USING btree ("repo_id","ordinal") WHERE repo_id is not null;
CREATE UNIQUE INDEX "audit_seals_previous" ON "audit_seals" USING btree ("previous_number");
CREATE INDEX "change_requests_by_issue" ON "change_requests" USING btree ("issue_id");
CREATE INDEX "change_requests_by_opening" ON "change_requests" USING btree ("repo_id","opened_at");
CREATE INDEX "codehost_deliveries_at" ON "codehost_deliveries" USING btree ("at");
CREATE INDEX "codehost_flows_end" ON "codehost_flows" USING btree ("expires_at");
CREATE UNIQUE INDEX "codehost_inbox_subject" ON "codehost_inbox" USING btree ("codehost_repo_id","kind","number");
CREATE INDEX "codehost_inbox_due" ON "codehost_inbox" USING btree ("run_after","marked_at");
CREATE INDEX "codehost_polls_due" ON "codehost_polls" USING btree ("due_at");
CREATE INDEX "estimates_by_end" ON "estimates" USING btree ("ended_at") WHERE ended_at is not null;
CREATE UNIQUE INDEX "events_seq" ON "events" USING btree ("issue_id","seq");
CREATE INDEX "events_by_user" ON "events" USING btree ("user_id","ordinal");
CREATE INDEX "failed_logins_by_day" ON "failed_logins" USING btree ("day");
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_hash");
CREATE INDEX "invitations_user" ON "invitations" USING btree ("user_id","id");
CREATE INDEX "invitations_email" ON "invitations" USING btree ("email_key");
CREATE INDEX "invitations_repo" ON "invitations" USING btree ("repo_id","id") WHERE repo_id is not null;
CREATE INDEX "invitations_expired" ON "invitations" USING btree ("expires_at");
CREATE UNIQUE INDEX "issues_one_holder_per_remote" ON "issues" USING btree ("active_remote") WHERE active_remote is not null;
CREATE UNIQUE INDEX "issues_one_holder_per_slot" ON "issues" USING btree ("slot") WHERE slot is not null;
CREATE UNIQUE INDEX "issues_one_per_place" ON "issues" USING btree ("queue_ordinal") WHERE queue_ordinal is not null;
CREATE INDEX "issues_queue_by_user" ON "issues" USING btree ("user_id","queue_ordinal") WHERE queue_ordinal is not null;
CREATE INDEX "issues_slots_of_user" ON "issues" USING btree ("user_id","slot") WHERE slot is not null;
CREATE INDEX "issues_waiting_for_repo" ON "issues" USING btree ("repo_id","waiting_ordinal") WHERE waiting_ordinal is not null;
CREATE INDEX "issues_by_user_start" ON "issues" USING btree ("user_id","started_at");
CREATE INDEX "issues_by_gate_end" ON "issues" USING btree ("gate_expires_at") WHERE gate_expires_at is not null;
CREATE INDEX "issues_of_user" ON "issues" USING btree ("user_id","ordinal","repo_id");
CREATE INDEX "issues_of_repo" ON "issues" USING btree ("repo_id","ordinal","user_id");
CREATE INDEX "issues_by_user_status" ON "issues" USING btree ("user_id","status","ordinal");
CREATE INDEX "issues_by_repo_status" ON "issues" USING btree ("repo_id","status","ordinal");
CREATE INDEX "issues_by_user_end" ON "issues" USING btree ("user_id","finished_at") WHERE finished_at is not null;
CREATE INDEX "issues_by_repo_end" ON "issues" USING btree ("repo_id","finished_at") WHERE finished_at is not null;
CREATE INDEX "issues_of_parent" ON "issues" USING btree ("parent_issue_id") WHERE parent_issue_id is not null;
CREATE UNIQUE INDEX "issues_imported_once" ON "issues" USING btree ("repo_id","codehost_number") WHERE codehost_number is not null;
CREATE UNIQUE INDEX "issues_one_per_comment" ON "issues" USING btree ("repo_id","codehost_comment_id") WHERE codehost_comment_id is not null;
CREATE INDEX "issues_of_change_request" ON "issues" USING btree ("repo_id","change_request_number","ordinal") WHERE change_request_number is not null;
CREATE INDEX "journal_entries_of_round" ON "journal_entries" USING btree ("issue_id","stage","round","ordinal");
CREATE INDEX "login_challenges_user" ON "login_challenges" USING btree ("user_id","created_at");
CREATE INDEX "login_challenges_created" ON "login_challenges" USING btree ("created_at");
CREATE INDEX "login_grants_end" ON "login_grants" USING btree ("expires_at");
CREATE INDEX "login_grants_user" ON "login_grants" USING btree ("user_id");
CREATE INDEX "notification_deliveries_due" ON "notification_deliveries" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;
CREATE INDEX "notification_deliveries_line" ON "notification_deliveries" USING btree ("target_id","issue_id","ordinal") WHERE next_attempt_at is not null;
CREATE INDEX "notification_deliveries_target" ON "notification_deliveries" USING btree ("target_id","ordinal");
CREATE INDEX "notification_deliveries_status" ON "notification_deliveries" USING btree ("target_id","status","ordinal");
CREATE INDEX "notification_deliveries_issue" ON "notification_deliveries" USING btree ("issue_id") WHERE issue_id is not null;
CREATE INDEX "notification_deliveries_end" ON "notification_deliveries" USING btree ("ended_at") WHERE ended_at is not null;
CREATE INDEX "notification_secrets_target" ON "notification_secrets" USING btree ("target_id","ordinal");
CREATE INDEX "notification_secrets_end" ON "notification_secrets" USING btree ("expires_at") WHERE expires_at is not null;
CREATE INDEX "notification_targets_user" ON "notification_targets" USING btree ("user_id","ordinal");
CREATE INDEX "notification_targets_repo" ON "notification_targets" USING btree ("repo_id") WHERE repo_id is not null;
CREATE UNIQUE INDEX "notification_targets_one_email" ON "notification_targets" USING btree ("user_id") WHERE channel = 'email';
CREATE UNIQUE INDEX "oidc_identities_user" ON "oidc_identities" USING btree ("user_id","issuer");
CREATE INDEX "oidc_logout_tokens_end" ON "oidc_logout_tokens" USING btree ("expires_at");
CREATE INDEX "repo_members_user" ON "repo_members" USING btree ("user_id","repo_id");
CREATE UNIQUE INDEX "repos_remote_once_per_user" ON "repos" USING btree ("user_id","canonical_remote");
CREATE INDEX "repos_by_remote" ON "repos" USING btree ("canonical_remote");
CREATE INDEX "repos_by_user" ON "repos" USING btree ("user_id","ordinal");
CREATE INDEX "repos_of_codehost_repo" ON "repos" USING btree ("codehost_repo_id","ordinal") WHERE codehost_repo_id is not null;
CREATE INDEX "repos_removed" ON "repos" USING btree ("removed_at") WHERE removed_at is not null;
CREATE INDEX "request_answers_at" ON "request_answers" USING btree ("created_at");
CREATE INDEX "second_factors_user" ON "second_factors" USING btree ("user_id");
CREATE UNIQUE INDEX "second_factors_credential" ON "second_factors" USING btree ("credential_id");
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");
CREATE INDEX "sessions_expired" ON "sessions" USING btree ("expires_at");
CREATE INDEX "sessions_revoked" ON "sessions" USING btree ("revoked_at") WHERE revoked_at is not null;
CREATE INDEX "sessions_oidc" ON "sessions" USING btree ("oidc_issuer","oidc_sid") WHERE oidc_sid is not null;
CREATE INDEX "sessions_idle" ON "sessions" USING btree ("idle_ends_at") WHERE idle_ends_at is not null;
CREATE UNIQUE INDEX "steps_attempt" ON "steps" USING btree ("issue_id","stage","round","attempt");
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email_key");
CREATE UNIQUE INDEX "users_one_per_codehost_id" ON "users" USING btree ("codehost_id") WHERE codehost_id is not null;
CREATE INDEX "users_operators" ON "users" USING btree ("is_operator","id");
CREATE INDEX "workers_seen" ON "workers" USING btree ("seen_at");
CREATE OR REPLACE FUNCTION "events_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "user_id" INTO NEW."user_id" FROM "issues" WHERE "id" = NEW."issue_id";
  RETURN NEW;
END $$;
CREATE TRIGGER "events_user" BEFORE INSERT ON "events" FOR EACH ROW WHEN (NEW."user_id" IS NULL) EXECUTE FUNCTION "events_user"();
