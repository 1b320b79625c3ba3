ALTER TABLE "repos" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "repos_removed" ON "repos" USING btree ("removed_at") WHERE removed_at is not null;--> statement-breakpoint
DELETE FROM "codehost_polls" WHERE NOT EXISTS (SELECT FROM "repos" WHERE "repos"."codehost_repo_id" = "codehost_polls"."codehost_repo_id");--> statement-breakpoint
ALTER TABLE "issues" SET (fillfactor = 80);
