import { beforeAll, expect, it } from "vitest";
import type { PointEntry } from "../../../db/shapes/money/rewards.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { formatPointEntry, nextReward } from "../../../web/features/rewards/reward-labels.ts";

beforeAll(() => changeLocale("en"));

it.each<[label: string, kind: PointEntry["kind"], reward: PointEntry["reward"]]>([
  ["Days you paid for", "earned", null],
  ["Discount on a plan", "reserved", null],
  ["Discount not used", "released", null],
  ["Refund of a plan", "refunded", null],
  ["Refund reversed", "refund_undone", null],
  ["Reward", "redeemed", null],
  ["Adjustment", "other", null],
  ["7 days of service", "redeemed", "7days"],
  ["30 days of service", "redeemed", "30days"],
  ["A 1-day trial for a friend", "redeemed", "friend_invitation"],
])("says in the list of points: %s", (label, kind, reward) => {
  const said = formatPointEntry({ kind, reward, points: 7, at: 0 });
  expect(said.replaceAll(/\s/gu, " ")).toBe(label);
});

it("names the cheapest reward that is out of reach, and how many points are missing", () => {
  const rewards = [
    { reward: "30days", points: 90 },
    { reward: "3days", points: 10 },
    { reward: "7days", points: 30 },
  ] as const;
  const next = (points: number) => nextReward({ points, rewards: [...rewards] });
  expect([next(0), next(10), next(90)]).toEqual([
    { reward: "3days", missing: 10, cost: 10 },
    { reward: "7days", missing: 20, cost: 30 },
    null,
  ]);
});
