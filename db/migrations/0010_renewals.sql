CREATE TABLE `renewal_consents` (
	`id` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`at` integer NOT NULL,
	`plan` text NOT NULL,
	`cap_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`words` integer NOT NULL,
	`withdrawn_at` integer
);
--> statement-breakpoint
CREATE INDEX `renewal_consents_driver` ON `renewal_consents` (`driver_id`,`at`);--> statement-breakpoint
CREATE TABLE `renewals` (
	`driver_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`pause` text,
	`plan` text NOT NULL,
	`cap_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`consent_id` text NOT NULL,
	`method_id` text NOT NULL,
	`method` text NOT NULL,
	`method_brand` text,
	`method_last4` text,
	`noticed_end` integer,
	`noticed_at` integer,
	`noticed_cents` integer,
	`due_at` integer,
	`tries` integer NOT NULL,
	`revision` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `renewals_due_at` ON `renewals` (`due_at`);--> statement-breakpoint
ALTER TABLE `payments` ADD `method_id` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `renewal_cap_cents` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `renewal_words` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `renewal_of` text;--> statement-breakpoint
ALTER TABLE `service_news` ADD `charge_at` integer;