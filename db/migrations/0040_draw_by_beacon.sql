ALTER TABLE `promotions` ADD `draw_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `promotions` ADD `entries_hash` text;--> statement-breakpoint
ALTER TABLE `promotions` ADD `beacon_round` integer;--> statement-breakpoint
ALTER TABLE `promotions` ADD `beacon_key` text;--> statement-breakpoint
ALTER TABLE `promotions` ADD `beacon_signature` text;