ALTER TABLE "users" ADD COLUMN "is_operator" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "users_operators" ON "users" USING btree ("is_operator","id");--> statement-breakpoint
UPDATE "users" SET "is_operator" = true WHERE "id" = (SELECT min("id") FROM "users");
