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
--> statement-breakpoint
ALTER TABLE "estimates" ADD CONSTRAINT "estimates_issue_id_issues_id_fk" FOREIGN KEY ("issue_id") REFERENCES "public"."issues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "estimates_by_end" ON "estimates" USING btree ("ended_at") WHERE ended_at is not null;