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
CREATE TABLE `journal` (
	`entry` text NOT NULL,
	`account` text NOT NULL,
	`unit` text NOT NULL,
	`amount` integer NOT NULL,
	`payment_id` text,
	`day` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`entry`, `account`, `unit`)
);
--> statement-breakpoint
CREATE INDEX `journal_day` ON `journal` (`day`,`account`);--> statement-breakpoint
CREATE INDEX `journal_payment` ON `journal` (`payment_id`);--> statement-breakpoint
CREATE TABLE `journal_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`closed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `renewal_notices` (
	`source` text NOT NULL,
	`channel` text NOT NULL,
	`driver_id` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`source`, `channel`)
);
--> statement-breakpoint
CREATE INDEX `renewal_notices_driver` ON `renewal_notices` (`driver_id`);--> statement-breakpoint
ALTER TABLE `price_cuts` ADD `currency` text DEFAULT 'USD' NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `method_fingerprint` text;--> statement-breakpoint
CREATE INDEX `payments_fingerprint` ON `payments` (`method_fingerprint`);--> statement-breakpoint
ALTER TABLE `plans` ADD `currency` text DEFAULT 'USD' NOT NULL;--> statement-breakpoint
ALTER TABLE `renewals` ADD `method_fingerprint` text;--> statement-breakpoint
ALTER TABLE `renewals` ADD `notice_confirmed_at` integer;--> statement-breakpoint
CREATE INDEX `renewals_fingerprint` ON `renewals` (`method_fingerprint`);--> statement-breakpoint
CREATE INDEX `renewals_method` ON `renewals` (`method_id`);--> statement-breakpoint
ALTER TABLE `invitations` ADD `withheld` text;--> statement-breakpoint
ALTER TABLE `sent_texts` ADD `about` text;--> statement-breakpoint
CREATE INDEX `sent_texts_about` ON `sent_texts` (`about`);--> statement-breakpoint
CREATE TRIGGER `journal_unchanged` BEFORE UPDATE ON `journal` BEGIN SELECT raise(ABORT, 'the journal is never changed'); END;--> statement-breakpoint
CREATE TRIGGER `journal_undeleted` BEFORE DELETE ON `journal` BEGIN SELECT raise(ABORT, 'the journal is never changed'); END;--> statement-breakpoint
CREATE TRIGGER `journal_closed` BEFORE INSERT ON `journal` WHEN NEW.`day` <= (SELECT max(`day`) FROM `journal_days`) BEGIN SELECT raise(ABORT, 'the day is closed'); END;--> statement-breakpoint
INSERT INTO `card_reports` (`id`, `payment_id`, `kind`, `method_id`, `at`, `is_final`) SELECT `d`.`id`, `d`.`payment_id`, 'dispute', `p`.`method_id`, `d`.`at`, `d`.`status` = 'lost' AND `d`.`reason` = 'fraudulent' FROM `payment_disputes` `d` JOIN `payments` `p` ON `p`.`id` = `d`.`payment_id`;--> statement-breakpoint
UPDATE `renewals` SET `status` = 'paused', `pause` = 'card_disputed', `due_at` = NULL, `revision` = `revision` + 1 WHERE `status` = 'on' AND `method_id` IN (SELECT `method_id` FROM `card_reports`);--> statement-breakpoint
UPDATE `renewals` SET `noticed_end` = NULL, `due_at` = 0, `revision` = `revision` + 1 WHERE `status` = 'on' AND `noticed_end` IS NOT NULL;--> statement-breakpoint
UPDATE `plans` SET `currency` = coalesce((SELECT `currency` FROM `payments` ORDER BY `created_at` DESC LIMIT 1), 'USD') WHERE `id` LIKE 'operator:%';--> statement-breakpoint
UPDATE `price_cuts` SET `currency` = coalesce((SELECT `currency` FROM `payments` ORDER BY `created_at` DESC LIMIT 1), 'USD');
