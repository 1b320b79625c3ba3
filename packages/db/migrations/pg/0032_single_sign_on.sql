CREATE TABLE "oidc_identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" text NOT NULL,
	"made_operator" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_sign_in_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "oidc_identities_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "oidc_logout_tokens" (
	"issuer" text NOT NULL,
	"token_id" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "oidc_logout_tokens_pk" PRIMARY KEY("issuer","token_id")
);
--> statement-breakpoint
ALTER TABLE "login_grants" ADD COLUMN "oidc_issuer" text;--> statement-breakpoint
ALTER TABLE "login_grants" ADD COLUMN "oidc_sid" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "oidc_issuer" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "oidc_sid" text;--> statement-breakpoint
ALTER TABLE "oidc_identities" ADD CONSTRAINT "oidc_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "oidc_identities_user" ON "oidc_identities" USING btree ("user_id","issuer");--> statement-breakpoint
CREATE INDEX "oidc_logout_tokens_end" ON "oidc_logout_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_oidc" ON "sessions" USING btree ("oidc_issuer","oidc_sid") WHERE oidc_sid is not null;