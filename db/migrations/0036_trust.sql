CREATE TABLE `chat_contacts` (
	`identifier` text PRIMARY KEY NOT NULL,
	`driver_id` text NOT NULL,
	`successor` text,
	`is_deleted` integer NOT NULL,
	`tries` integer NOT NULL,
	`due_at` integer
);
--> statement-breakpoint
CREATE INDEX `chat_contacts_driver` ON `chat_contacts` (`driver_id`);--> statement-breakpoint
CREATE INDEX `chat_contacts_due_at` ON `chat_contacts` (`due_at`);--> statement-breakpoint
CREATE TABLE `link_leases` (
	`subject` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `link_leases_holder` ON `link_leases` (`holder`);--> statement-breakpoint
CREATE INDEX `link_leases_until` ON `link_leases` (`until`);--> statement-breakpoint
CREATE TABLE `invite_tries` (
	`driver_id` text NOT NULL,
	`phone_number` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`driver_id`, `phone_number`)
);
