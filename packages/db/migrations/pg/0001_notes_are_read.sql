ALTER TABLE "issues" ADD COLUMN "notes_seq" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "notes_read_seq" integer DEFAULT 0 NOT NULL;