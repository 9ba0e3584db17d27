CREATE INDEX `service_news_at` ON `service_news` (`at`);--> statement-breakpoint
CREATE INDEX `service_news_driver` ON `service_news` (`driver_id`);