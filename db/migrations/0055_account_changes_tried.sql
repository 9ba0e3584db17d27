DROP INDEX `account_changes_changed_at`;--> statement-breakpoint
ALTER TABLE `account_changes` ADD `tried_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `account_changes_tried_at` ON `account_changes` (`tried_at`,`changed_at`);