CREATE INDEX `object_seals_key` ON `object_seals` (`key_id`);--> statement-breakpoint
-- By hand: a row for each linked driver and for nobody else.
DELETE FROM `object_seals` WHERE `driver_id` NOT IN (SELECT `id` FROM `users` WHERE `proxy_installed` = 1);--> statement-breakpoint
INSERT OR IGNORE INTO `object_seals` (`driver_id`, `key_id`, `checked_at`) SELECT `id`, '', 0 FROM `users` WHERE `proxy_installed` = 1;--> statement-breakpoint
CREATE TRIGGER `users_linked_at_first` AFTER INSERT ON `users` WHEN new.`proxy_installed` = 1 BEGIN
	INSERT OR IGNORE INTO `object_seals` (`driver_id`, `key_id`, `checked_at`) VALUES (new.`id`, '', 0);
END;--> statement-breakpoint
CREATE TRIGGER `users_linked` AFTER UPDATE OF `proxy_installed` ON `users` WHEN new.`proxy_installed` = 1 AND old.`proxy_installed` = 0 BEGIN
	INSERT OR IGNORE INTO `object_seals` (`driver_id`, `key_id`, `checked_at`) VALUES (new.`id`, '', 0);
END;--> statement-breakpoint
CREATE TRIGGER `users_unlinked` AFTER UPDATE OF `proxy_installed` ON `users` WHEN new.`proxy_installed` = 0 AND old.`proxy_installed` = 1 BEGIN
	DELETE FROM `object_seals` WHERE `driver_id` = new.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `users_linked_to_last` AFTER DELETE ON `users` WHEN old.`proxy_installed` = 1 BEGIN
	DELETE FROM `object_seals` WHERE `driver_id` = old.`id`;
END;
