import { expect, it } from "vitest";
import { wonBlockStatus } from "../../../web/features/offers/won-block-status.ts";

const MINUTE_MS = 60_000;
const startsAt = Date.UTC(2026, 10, 21, 15);
const block = {
  status: "scheduled",
  startsAt,
  endsAt: startsAt + 180 * MINUTE_MS,
  checkedInAt: null,
} as const;
const giveBackUntil = startsAt - 45 * MINUTE_MS;

it.each([
  ["an hour ahead", {}, -60, { kind: "ahead", giveBackUntil, giveBackMs: 15 * MINUTE_MS }],
  ["45 minutes ahead to the millisecond", {}, -45, { kind: "ahead", giveBackUntil, giveBackMs: 0 }],
  ["44 minutes ahead", {}, -44, { kind: "ahead", giveBackUntil, giveBackMs: null }],
  ["just begun", {}, 0, { kind: "under_way" }],
  ["checked in early", { status: "checked_in", checkedInAt: 7 }, -10, { kind: "checked_in", at: 7 }],
  ["at its end", {}, 180, { kind: "done" }],
  ["checked in, at its end", { status: "checked_in", checkedInAt: 7 }, 180, { kind: "done" }],
  ["of a status that we don't know", { status: "other" }, -300, { kind: "other" }],
  ["of a status that we don't know, at its end", { status: "other" }, 180, { kind: "done" }],
  ["given back", { status: "forfeited" }, -300, { kind: "given_back" }],
] as const)("knows where a block stands: %s", (_name, change, minutes, standing) => {
  expect(
    wonBlockStatus(
      { ...block, ...change },
      { now: startsAt + minutes * MINUTE_MS, giveBackMs: 45 * MINUTE_MS },
    ),
  ).toEqual(standing);
});
