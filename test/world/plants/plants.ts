import { ACCEPT_PLANTS } from "./accepts.ts";
import { ACCOUNT_PLANTS } from "./account.ts";
import { LIMIT_PLANTS } from "./limits.ts";
import { LOST_TIME_PLANTS } from "./lost-time.ts";
import { LOST_PLANTS } from "./lost.ts";
import type { Plant } from "./plant.ts";
import { POLL_PLANTS } from "./polls.ts";
import { QUESTION_PLANTS } from "./questions.ts";
import { QUOTA_PLANTS } from "./quota.ts";
import { REPLAY_PLANTS } from "./replays.ts";
import { TEXT_PLANTS } from "./texts.ts";

/** Faults that the product once had. */
export const PLANTS: readonly Plant[] = [
  ...POLL_PLANTS,
  ...ACCEPT_PLANTS,
  ...ACCOUNT_PLANTS,
  ...QUESTION_PLANTS,
  ...QUOTA_PLANTS,
  ...LIMIT_PLANTS,
  ...LOST_PLANTS,
  ...LOST_TIME_PLANTS,
  ...REPLAY_PLANTS,
  ...TEXT_PLANTS,
];
