ALTER TABLE `payment_refunds` ADD `took_at` integer;--> statement-breakpoint
ALTER TABLE `payment_refunds` ADD `returned_at` integer;--> statement-breakpoint
CREATE INDEX `payment_refunds_took_at` ON `payment_refunds` (`took_at`);--> statement-breakpoint
CREATE INDEX `payment_refunds_returned_at` ON `payment_refunds` (`returned_at`);