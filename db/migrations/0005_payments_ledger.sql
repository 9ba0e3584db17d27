CREATE TABLE `payment_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`intent_id` text,
	`payment_id` text,
	`at` integer NOT NULL,
	`resolved_at` integer
);
--> statement-breakpoint
CREATE INDEX `payment_alerts_open` ON `payment_alerts` (`resolved_at`,`at`);--> statement-breakpoint
CREATE TABLE `payment_calls` (
	`subject` text PRIMARY KEY NOT NULL,
	`window_ends_at` integer NOT NULL,
	`calls` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payment_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`kind` text NOT NULL,
	`cents` integer NOT NULL,
	`at` integer NOT NULL,
	`is_effective` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_refunds_payment` ON `payment_refunds` (`payment_id`);--> statement-breakpoint
CREATE TABLE `pending_stripe_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`intent_id` text NOT NULL,
	`tries` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pending_stripe_events_due_at` ON `pending_stripe_events` (`due_at`);--> statement-breakpoint
CREATE TABLE `plans` (
	`id` text PRIMARY KEY NOT NULL,
	`plan` text NOT NULL,
	`price_cents` integer NOT NULL,
	`valid_from` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `plans_plan` ON `plans` (`plan`,`valid_from`);--> statement-breakpoint
ALTER TABLE `payments` ADD `price_id` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `processing_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `receipt_number` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `tax_name` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `tax_millionths` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `method` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `method_brand` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `method_last4` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `orphaned_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_receipt_number` ON `payments` (`receipt_number`);--> statement-breakpoint
ALTER TABLE `service_news` ADD `amount_cents` integer;--> statement-breakpoint
ALTER TABLE `service_news` ADD `currency` text;--> statement-breakpoint
ALTER TABLE `service_news` ADD `changed_ms` integer;--> statement-breakpoint
CREATE INDEX `stripe_events_intent` ON `stripe_events` (`intent_id`);--> statement-breakpoint
INSERT INTO `plans` (`id`, `plan`, `price_cents`, `valid_from`) VALUES
	('3days-1', '3days', 3499, 0),
	('7days-1', '7days', 4987, 0),
	('14days-1', '14days', 8999, 0),
	('30days-1', '30days', 16999, 0);
--> statement-breakpoint
-- Payments that went through before receipts had numbers get theirs in the order in which they did.
UPDATE `payments` SET `receipt_number` = (
	SELECT count(*) FROM `payments` AS `earlier`
	WHERE `earlier`.`settled_at` IS NOT NULL
	AND (`earlier`.`settled_at`, `earlier`.`id`) <= (`payments`.`settled_at`, `payments`.`id`)
) WHERE `settled_at` IS NOT NULL;
--> statement-breakpoint
UPDATE `payments` SET `method` = 'points' WHERE `settled_at` IS NOT NULL AND `intent_id` IS NULL AND `total_cents` = 0;
--> statement-breakpoint
-- Payments that were given back in full are in no raffle that is not drawn yet.
DELETE FROM `raffle_entries` WHERE `payment_id` IN (
	SELECT `id` FROM `payments` WHERE `status` IN ('refunded', 'dispute_lost')
) AND `promotion_id` IN (SELECT `id` FROM `promotions` WHERE `seed` IS NULL);
