ALTER TABLE `warehouse_filters` ADD `action` text;--> statement-breakpoint
ALTER TABLE `warehouse_filters` ADD `ask_seconds` integer;