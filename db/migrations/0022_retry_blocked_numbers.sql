-- A country that was switched off and a route that there wasn't counted as the number's own. Which of those that read 'blocked'
-- they were, nobody kept: each is tried once more, and the next failure pauses it again.
UPDATE `text_failures` SET `paused_at` = NULL, `failures` = min(`failures`, 9), `permanent_failures` = min(`permanent_failures`, 2) WHERE `problem` = 'blocked' AND `paused_at` IS NOT NULL;
