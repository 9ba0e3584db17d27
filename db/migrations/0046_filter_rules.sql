ALTER TABLE `filters` ADD `limits` text;--> statement-breakpoint
ALTER TABLE `filters` ADD `dates` text;--> statement-breakpoint
ALTER TABLE `warehouse_filters` ADD `extra_rules` text;