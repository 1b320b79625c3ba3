CREATE TABLE "audit_seals" (
	"number" bigint PRIMARY KEY NOT NULL,
	"previous_number" bigint NOT NULL,
	"previous" text,
	"from_ordinal" bigint NOT NULL,
	"to_ordinal" bigint NOT NULL,
	"entries" integer NOT NULL,
	"total" bigint NOT NULL,
	"digest" text NOT NULL,
	"key_id" text NOT NULL,
	"sealed_at" timestamp (3) with time zone NOT NULL,
	"mac" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_user_id_users_id_fk";
--> statement-breakpoint
CREATE UNIQUE INDEX "audit_seals_previous" ON "audit_seals" USING btree ("previous_number");