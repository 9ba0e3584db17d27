-- What is the sender's pauses no number any more: those that it paused are tried again.
UPDATE `text_failures` SET `paused_at` = NULL, `failures` = 0, `permanent_failures` = 0 WHERE `problem` IN ('filtered', 'other');
