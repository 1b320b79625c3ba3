CREATE TABLE "repo_members" (
	"repo_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"origin" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "repo_members_pk" PRIMARY KEY("repo_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "repo_id" text;--> statement-breakpoint
ALTER TABLE "repo_members" ADD CONSTRAINT "repo_members_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repo_members" ADD CONSTRAINT "repo_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "repo_members_user" ON "repo_members" USING btree ("user_id","repo_id");--> statement-breakpoint
CREATE INDEX "audit_entries_by_repo" ON "audit_entries" USING btree ("repo_id","ordinal") WHERE repo_id is not null;