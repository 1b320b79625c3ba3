CREATE TABLE "request_answers" (
	"user_id" text NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"hash" text NOT NULL,
	"answer" jsonb,
	"owner" text,
	"held_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "request_answers_pk" PRIMARY KEY("user_id","route","key"),
	CONSTRAINT "request_answers_held_or_answered" CHECK ((owner is null) = (answer is not null)),
	CONSTRAINT "request_answers_hold_whole" CHECK ((owner is null) = (held_until is null))
);
--> statement-breakpoint
ALTER TABLE "request_answers" ADD CONSTRAINT "request_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;