CREATE TABLE "codehost_sites" (
	"id" integer PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "codehost_sites_one" CHECK (id = 1)
);
