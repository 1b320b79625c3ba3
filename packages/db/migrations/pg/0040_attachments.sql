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
--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachments_of_issue" ON "attachments" USING btree ("issue_id","ordinal") WHERE issue_id is not null;--> statement-breakpoint
CREATE INDEX "attachments_of_user" ON "attachments" USING btree ("user_id","bytes");--> statement-breakpoint
CREATE INDEX "attachments_unused" ON "attachments" USING btree ("user_id","expires_at") WHERE expires_at is not null;--> statement-breakpoint
CREATE INDEX "attachments_by_expiry" ON "attachments" USING btree ("expires_at") WHERE expires_at is not null;