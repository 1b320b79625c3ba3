CREATE TABLE "installation" (
	"id" integer PRIMARY KEY NOT NULL,
	"epoch" text NOT NULL,
	CONSTRAINT "installation_once" CHECK (id = 1)
);
