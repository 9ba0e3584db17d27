ALTER TABLE `fleet_hours` ADD `name_not_found` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `fleet_hours` ADD `untrusted` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `fleet_hours` ADD `not_listening` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `fleet_hours` ADD `disconnected` integer DEFAULT 0 NOT NULL;