import { beforeEach, expect, it } from "vitest";
import { loadDriverPage, searchDrivers } from "../../worker/console/driver-page.ts";
import { listFleetDrivers } from "../../worker/console/fleet.ts";
import { listCommentPage } from "../../worker/console/voice.ts";
import { NOW } from "../payments/checkout-harness.ts";
import { ANA, openDesk, reason, type Desk } from "./desk.ts";

const OWN = "+15550101111";
const PREFERRED = "+15550102222";
const FRIEND = "+15550103333";

let at: Desk;
beforeEach(() => {
  at = openDesk();
  at.run(`UPDATE users SET phone_number = ?, preferred_phone_number = ? WHERE id = ?`, OWN, PREFERRED, ANA);
  at.run(
    `INSERT INTO invitations (id, inviter_id, phone_number, has_trial, revocations, created_at) VALUES ('i', ?, ?, 0, 0, ?)`,
    ANA,
    FRIEND,
    NOW,
  );
  at.run(
    `INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, 'polling', ?, ?)`,
    ANA,
    NOW,
    NOW,
  );
  at.run(
    `INSERT INTO heartbeats (driver_id, object_name, due_at) VALUES (?, 'enam:ana', ?)`,
    ANA,
    NOW - 3_600_000,
  );
  at.run(`INSERT INTO feedback (id, driver_id, score, comment, at) VALUES ('f', ?, 9, 'good', ?)`, ANA, NOW);
});

/** The numbers that are whole in an answer to an operator, and those of which it has the end. */
async function shown(
  name: Parameters<Desk["as"]>[0],
  load: (as: ReturnType<Desk["as"]>) => Promise<unknown>,
) {
  const text = JSON.stringify(await load(at.as(name)));
  const numbers = [OWN, PREFERRED, FRIEND];
  return {
    whole: numbers.filter((number) => text.includes(number)),
    ends: numbers.filter((number) => text.includes(`••• ${number.slice(-4)}`)),
  };
}

it.each([
  ["a driver's page", (as) => loadDriverPage(as, ANA), [OWN, PREFERRED], [FRIEND]],
  ["a search", (as) => searchDrivers(as, "1111"), [OWN], []],
  [
    "a list of drivers",
    (as) => {
      at.run(`DELETE FROM heartbeats`);
      return listFleetDrivers(as, "looking");
    },
    [OWN],
    [],
  ],
  ["a list of overdue objects", (as) => listFleetDrivers(as, "stale"), [OWN], []],
  ["comments", (as) => listCommentPage(as, undefined, 10), [], [OWN]],
] satisfies [string, Parameters<typeof shown>[1], string[], string[]][])(
  "%s shows owners the driver's numbers, and support only their ends",
  async (_what, load, numbers, always) => {
    expect(await shown("owner", load)).toEqual({ whole: numbers, ends: always });
    expect(await shown("one", load)).toEqual({ whole: [], ends: [...numbers, ...always] });
  },
);

it("a search tells support nothing of the digits before the end, however often they guess", async () => {
  const found = async (name: Parameters<Desk["as"]>[0], typed: string) =>
    (await searchDrivers(at.as(name), typed)).drivers.map(({ id }) => id);
  for (const typed of ["01111", "91111", "50101111", "60101111"])
    expect([typed, await found("one", typed)]).toEqual([typed, [ANA]]);
  expect([await found("owner", "01111"), await found("owner", "91111")]).toEqual([[ANA], []]);
  expect([await found("one", OWN), await found("one", "+15550191111")]).toEqual([[ANA], []]);
});

it("the log of a look at a number has no number", async () => {
  expect(await at.act("one", "look", { act: "show_phone", reason })).toBe("done");
  const log = await shown("owner", async () => at.rows(`SELECT * FROM operator_acts`));
  expect(log).toEqual({ whole: [], ends: [] });
});
