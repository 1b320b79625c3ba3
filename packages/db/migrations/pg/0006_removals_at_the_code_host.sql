CREATE TABLE "codehost_removals" (
	"repo_id" text NOT NULL,
	"origin" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "codehost_removals_pk" PRIMARY KEY("repo_id","origin")
);
--> statement-breakpoint
ALTER TABLE "codehost_removals" ADD CONSTRAINT "codehost_removals_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;