ALTER TABLE `pool_sessions` ADD `generation` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pool_sessions` ADD `rotated_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pool_sessions` ADD `last_seen_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `pool_sessions` ADD `browser` text;--> statement-breakpoint
ALTER TABLE `pool_sessions` ADD `system` text;--> statement-breakpoint
ALTER TABLE `pool_sessions` ADD `country` text;