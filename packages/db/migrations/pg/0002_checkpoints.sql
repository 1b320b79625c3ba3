CREATE TABLE "checkpoints" (
	"issue_id" text NOT NULL,
	"kind" text NOT NULL,
	"commit" text NOT NULL,
	"object" text NOT NULL,
	"patch" "bytea" NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "checkpoints_pk" PRIMARY KEY("issue_id","kind")
);
--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;