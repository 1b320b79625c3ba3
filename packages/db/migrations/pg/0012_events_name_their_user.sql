-- outside a transaction: old processes go on writing events while a million of them get their user
ALTER TABLE "events" ADD COLUMN IF NOT EXISTS "user_id" text;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "events_user"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "user_id" INTO NEW."user_id" FROM "issues" WHERE "id" = NEW."issue_id";
  RETURN NEW;
END $$;--> statement-breakpoint
DROP TRIGGER IF EXISTS "events_user" ON "events";--> statement-breakpoint
CREATE TRIGGER "events_user" BEFORE INSERT ON "events" FOR EACH ROW WHEN (NEW."user_id" IS NULL) EXECUTE FUNCTION "events_user"();--> statement-breakpoint
DO $$
DECLARE
  low bigint := 0;
  high bigint;
  step CONSTANT bigint := 5000;
BEGIN
  SELECT coalesce(max("ordinal"), 0) INTO high FROM "events";
  WHILE low < high LOOP
    UPDATE "events" SET "user_id" = "issues"."user_id" FROM "issues"
      WHERE "issues"."id" = "events"."issue_id" AND "events"."user_id" IS NULL
        AND "events"."ordinal" > low AND "events"."ordinal" <= low + step;
    low := low + step;
    COMMIT;
  END LOOP;
END $$;
