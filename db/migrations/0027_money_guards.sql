CREATE TABLE `card_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`kind` text NOT NULL,
	`fingerprint` text,
	`method_id` text,
	`at` integer NOT NULL,
	`is_final` integer NOT NULL,
	`cleared_at` integer
);
--> statement-breakpoint
CREATE INDEX `card_reports_fingerprint` ON `card_reports` (`fingerprint`);--> statement-breakpoint
CREATE INDEX `card_reports_method` ON `card_reports` (`method_id`);--> statement-breakpoint
CREATE INDEX `card_reports_payment` ON `card_reports` (`payment_id`);--> statement-breakpoint
CREATE TABLE `renewal_notices` (
	`source` text NOT NULL,
	`channel` text NOT NULL,
	`driver_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`source`, `channel`)
);
--> statement-breakpoint
CREATE INDEX `renewal_notices_driver` ON `renewal_notices` (`driver_id`);--> statement-breakpoint
ALTER TABLE `payments` ADD `method_fingerprint` text;--> statement-breakpoint
CREATE INDEX `payments_fingerprint` ON `payments` (`method_fingerprint`);--> statement-breakpoint
ALTER TABLE `renewals` ADD `method_fingerprint` text;--> statement-breakpoint
ALTER TABLE `renewals` ADD `notice_confirmed_at` integer;--> statement-breakpoint
CREATE INDEX `renewals_fingerprint` ON `renewals` (`method_fingerprint`);--> statement-breakpoint
CREATE INDEX `renewals_method` ON `renewals` (`method_id`);--> statement-breakpoint
ALTER TABLE `invitations` ADD `withheld` text;--> statement-breakpoint
ALTER TABLE `sent_texts` ADD `about` text;--> statement-breakpoint
CREATE INDEX `sent_texts_about` ON `sent_texts` (`about`);