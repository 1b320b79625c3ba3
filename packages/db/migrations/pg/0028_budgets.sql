CREATE TABLE "budgets" (
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"cost_usd" double precision,
	"tokens" bigint,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "budgets_pk" PRIMARY KEY("kind","subject")
);
--> statement-breakpoint
CREATE TABLE "spending" (
	"month" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_usd" double precision NOT NULL,
	"calls" bigint NOT NULL,
	"unpriced_calls" bigint NOT NULL,
	"warned" boolean DEFAULT false NOT NULL,
	CONSTRAINT "spending_pk" PRIMARY KEY("month","kind","subject")
);
--> statement-breakpoint
ALTER TABLE "issues" ADD COLUMN "held_by_budget" text;