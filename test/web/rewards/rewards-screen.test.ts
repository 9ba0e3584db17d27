import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { pauseQuery } from "../../../web/api/queries/service-time.ts";
import { rewardsQuery } from "../../../web/api/queries/rewards.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { RewardsScreen } from "../../../web/features/rewards/rewards-screen.tsx";
import type { PauseResponse } from "../../../db/shapes/money/pause.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import type { PointEntry } from "../../../db/shapes/money/rewards.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const REWARDS = [
  { reward: "friend_invitation", points: 150 },
  { reward: "7days", points: 700 },
] as const;

const RUNNING: PauseResponse = {
  serviceUntil: null,
  pausedUntil: null,
  obstacle: null,
  daysLeft: 14,
  pausesLeft: 4,
};

async function read(
  points: number,
  {
    entries = [],
    pause = {},
    record = {},
  }: { entries?: readonly PointEntry[]; pause?: Partial<PauseResponse>; record?: Partial<User> } = {},
) {
  const html = await htmlOfPart(createElement(RewardsScreen), {
    answered: [
      [rewardsQuery.queryKey, { points, rewards: REWARDS, entries }],
      [userQuery.queryKey, { ...RECORD, ...record }],
      [pauseQuery.queryKey, { ...RUNNING, ...pause }],
    ],
  });
  const rows = [...html.matchAll(/<li data-testid="reward-.*?<\/li>/gu)].map(([row]) => textsIn(row));
  const [, ledger = ""] = html.split('<ul data-testid="points-ledger">');
  const lines = ledger.split("</li>").map((line) => textsIn(line));
  return { rows, lines, all: textsIn(html) };
}

it("offers a reward from exactly its cost on, and says of another how far it is", async () => {
  const outcomes = async (points: number) => (await read(points)).rows.map((row) => row.at(-1));
  expect(await outcomes(149)).toEqual(["1 more to go", "551 more to go"]);
  expect(await outcomes(150)).toEqual(["Redeem", "550 more to go"]);
  expect(await outcomes(699)).toEqual(["Redeem", "1 more to go"]);
  expect(await outcomes(700)).toEqual(["Redeem", "Redeem"]);
});

it("lists the points that came and went, each with its sign, or says that there are none yet", async () => {
  const at = Date.UTC(2026, 4, 4, 16);
  const { lines } = await read(150, {
    entries: [
      { kind: "redeemed", reward: "7days", points: -700, at },
      { kind: "earned", reward: null, points: 850, at },
    ],
  });
  expect(lines.slice(0, 2).map(([label, , points]) => [label, points])).toEqual([
    ["7 days of service", "-700"],
    ["Days you paid for", "+850"],
  ]);
  expect((await read(0)).lines).toEqual([[]]);
});

it("counts no day of a pause among those that are left, as the dashboard does", async () => {
  const record = { expirationDateTimestamp: Date.now() + 33 * DAY_MS };
  const pausedUntil = Date.now() + 3 * DAY_MS;
  expect((await read(0, { record })).all).toContain("33 days left");
  expect((await read(0, { record, pause: { pausedUntil } })).all).toContain("30 days left");
});

it("names the year of points from half a year away on", async () => {
  const entry = (days: number) =>
    ({ kind: "earned", reward: null, points: 30, at: Date.now() - days * DAY_MS }) as const;
  const { lines } = await read(60, { entries: [entry(100), entry(400)] });
  expect(lines.slice(0, 2).map(([, when = ""]) => /, \d{4}/u.test(when))).toEqual([false, true]);
});
