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
--> statement-breakpoint
CREATE INDEX "workers_seen" ON "workers" USING btree ("seen_at");