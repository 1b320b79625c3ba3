CREATE TABLE "codehost_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "codehost_flows" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "codehost_polls" (
	"codehost_repo_id" text PRIMARY KEY NOT NULL,
	"cursor" text,
	"due_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_grants" (
	"grant_hash" text PRIMARY KEY NOT NULL,
	"challenge" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "codehost_comment_id" text;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "change_request_number" integer;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "change_request_state" text;--> statement-breakpoint
ALTER TABLE "codehost_grants" ADD CONSTRAINT "codehost_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "login_grants" ADD CONSTRAINT "login_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "codehost_deliveries_at" ON "codehost_deliveries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "codehost_flows_end" ON "codehost_flows" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "codehost_inbox_subject" ON "codehost_inbox" USING btree ("codehost_repo_id","kind","number");--> statement-breakpoint
CREATE INDEX "codehost_inbox_due" ON "codehost_inbox" USING btree ("run_after","marked_at");--> statement-breakpoint
CREATE INDEX "codehost_polls_due" ON "codehost_polls" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "login_grants_end" ON "login_grants" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "login_grants_user" ON "login_grants" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "issues_codehost_number_once" ON "issues" USING btree ("repo_id","codehost_number");--> statement-breakpoint
CREATE UNIQUE INDEX "issues_codehost_comment_once" ON "issues" USING btree ("repo_id","codehost_comment_id");--> statement-breakpoint
CREATE INDEX "issues_by_change_request" ON "issues" USING btree ("repo_id","change_request_number","ordinal");--> statement-breakpoint
CREATE INDEX "repos_by_codehost_repo" ON "repos" USING btree ("codehost_repo_id","ordinal");