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
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_target_id_notification_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notification_targets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_secrets" ADD CONSTRAINT "notification_secrets_target_id_notification_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notification_targets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_targets" ADD CONSTRAINT "notification_targets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_targets" ADD CONSTRAINT "notification_targets_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_deliveries_due" ON "notification_deliveries" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "notification_deliveries_line" ON "notification_deliveries" USING btree ("target_id","issue_id","ordinal") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "notification_deliveries_target" ON "notification_deliveries" USING btree ("target_id","ordinal");--> statement-breakpoint
CREATE INDEX "notification_deliveries_status" ON "notification_deliveries" USING btree ("target_id","status","ordinal");--> statement-breakpoint
CREATE INDEX "notification_deliveries_issue" ON "notification_deliveries" USING btree ("issue_id") WHERE issue_id is not null;--> statement-breakpoint
CREATE INDEX "notification_deliveries_end" ON "notification_deliveries" USING btree ("ended_at") WHERE ended_at is not null;--> statement-breakpoint
CREATE INDEX "notification_secrets_target" ON "notification_secrets" USING btree ("target_id","ordinal");--> statement-breakpoint
CREATE INDEX "notification_secrets_end" ON "notification_secrets" USING btree ("expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE INDEX "notification_targets_user" ON "notification_targets" USING btree ("user_id","ordinal");--> statement-breakpoint
CREATE INDEX "notification_targets_repo" ON "notification_targets" USING btree ("repo_id") WHERE repo_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_targets_one_email" ON "notification_targets" USING btree ("user_id") WHERE channel = 'email';