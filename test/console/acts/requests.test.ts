import { beforeEach, describe, expect, it } from "vitest";
import { actExportQuery } from "../../../db/queries/operators/acts.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { decideRequest } from "../../../worker/console/driver-acts.ts";
import { listRequests, requireExportOf } from "../../../worker/console/requests.ts";
import { REQUEST_HOURS } from "../../../worker/contract/console/operators.ts";
import { ANA, BIA, openDesk, outcomeOf, reason, type Desk } from "../desk.ts";

const KEY = "6f0c6f6e-5f0e-4c0c-9d56-0123456789ab";
const copy = { act: "export_data", reason } as const;
const DAY_MS = 24 * HOUR_MS;

let at: Desk;
beforeEach(() => {
  at = openDesk();
});

const fetched = (name: Parameters<Desk["as"]>[0], id = KEY) =>
  outcomeOf(requireExportOf(at.as(name), id, DAY_MS));

describe("an act that nobody does alone", () => {
  it("waits for an owner who did not ask for it, and is decided once", async () => {
    expect(await at.act("owner", KEY, copy)).toBe("waiting");
    expect(await at.decide("owner", KEY, true)).toBe("forbidden");
    expect(await at.decide("two", KEY, true)).toBe("forbidden");
    expect(await at.decide("other", KEY, true)).toBe("done");
    expect([await at.decide("other", KEY, true), await at.decide("other", KEY, false)]).toEqual([
      "conflict",
      "conflict",
    ]);
  });

  it("is asked for once per key, by one operator, for one driver", async () => {
    expect(await at.act("one", KEY, copy)).toBe("waiting");
    expect(await at.act("one", KEY, copy)).toBe("waiting");
    expect(await at.act("two", KEY, copy)).toBe("conflict");
    expect(await at.act("one", KEY, copy, BIA)).toBe("conflict");
    expect(await at.act("one", KEY, { act: "erase", reason })).toBe("conflict");
    expect(at.rows(`SELECT driver_id FROM operator_approvals`)).toEqual([{ driver_id: ANA }]);
  });

  it("is asked for by one request at a time, whatever the reason and whoever asks", async () => {
    const [again, other] = [crypto.randomUUID(), crypto.randomUUID()];
    expect(await at.act("one", KEY, { act: "days", days: 20, reason })).toBe("waiting");
    expect(await at.act("one", again, { act: "days", days: 20, reason: "sent twice" })).toBe("conflict");
    expect(await at.act("two", again, { act: "days", days: 20, reason })).toBe("conflict");
    expect(await at.act("two", other, { act: "days", days: 21, reason })).toBe("waiting");
    expect(await at.act("one", crypto.randomUUID(), { act: "days", days: 20, reason }, BIA)).toBe("waiting");
    expect(await at.act("one", KEY, { act: "days", days: 20, reason })).toBe("waiting");
    expect(await at.decide("owner", KEY, false)).toBe("done");
    expect(await at.act("one", again, { act: "days", days: 20, reason })).toBe("waiting");
    at.clock.now += REQUEST_HOURS * HOUR_MS;
    expect(await at.act("one", crypto.randomUUID(), { act: "days", days: 20, reason })).toBe("waiting");
  });

  it("is the same act where its end is a moment later, as that of a price asked for again", async () => {
    const price = (priceCents: number, endsAt: number) =>
      at.act("one", crypto.randomUUID(), {
        act: "special_price",
        plan: "14days",
        priceCents,
        endsAt,
        reason,
      });
    const endsAt = at.clock.now + 80 * DAY_MS;
    expect(await price(60, endsAt)).toBe("waiting");
    at.clock.now += 90_000;
    expect(await price(60, endsAt + 90_000)).toBe("conflict");
    expect(await price(61, endsAt + 90_000)).toBe("waiting");
    expect(await price(60, endsAt - DAY_MS)).toBe("waiting");
  });

  it("ends with its operator, who is no second one any more", async () => {
    const former = openDesk({ OPS_SUPPORT: "two@example.com" });
    expect(await former.act("one", KEY, copy)).toBe("waiting");
    expect((await listRequests(former.as("owner"))).requests[0]?.status).toBe("expired");
    expect(await former.decide("owner", KEY, true)).toBe("conflict");
  });

  it("can't be decided once it has ended", async () => {
    await at.act("one", KEY, copy);
    at.clock.now += REQUEST_HOURS * HOUR_MS;
    expect(await at.decide("owner", KEY, true)).toBe("conflict");
    expect(await at.decide("owner", KEY, false)).toBe("conflict");
  });
});

it("is declined with a line in the log that says who asked for what, until it ends", async () => {
  await at.act("one", KEY, copy);
  at.clock.now += REQUEST_HOURS * HOUR_MS - 1;
  expect(await at.decide("owner", KEY, false)).toBe("done");
  const lines = at.rows(`SELECT operator, act, driver_id, what FROM operator_acts ORDER BY rowid`);
  expect(lines.map((line) => ({ ...line, what: JSON.parse(String(line["what"])) }))).toEqual([
    { operator: "one@example.com", act: "ask", driver_id: ANA, what: { asked: "export_data" } },
    {
      operator: "owner@example.com",
      act: "decline",
      driver_id: ANA,
      what: { asked: "export_data", askedBy: "one@example.com" },
    },
  ]);
});

it("is done with a line in the log that says who approved it, and why", async () => {
  await at.act("one", KEY, { act: "days", days: 20, reason: "three days lost" });
  await decideRequest(at.as("owner"), KEY, { approve: true, reason: "I checked the outage" });
  const [line] = at.rows(`SELECT operator, reason, what FROM operator_acts WHERE act = 'days'`);
  expect({ ...line, what: JSON.parse(String(line?.["what"])) }).toEqual({
    operator: "one@example.com",
    reason: "three days lost",
    what: { days: 20, approvedBy: "owner@example.com", approvedFor: "I checked the outage" },
  });
});

it("names no operator in the driver's own export, whether it was approved or declined", async () => {
  const other = crypto.randomUUID();
  await at.act("one", KEY, { act: "days", days: 20, reason });
  await at.act("one", other, copy);
  await at.decide("owner", KEY, true);
  await at.decide("owner", other, false);
  const exported = await actExportQuery(at.checkout.db, ANA);
  expect(exported.map(({ act, by, what }) => ({ act, by, what }))).toEqual([
    { act: "ask", by: "support", what: { asked: "days", days: 20 } },
    { act: "ask", by: "support", what: { asked: "export_data" } },
    { act: "days", by: "support", what: { days: 20, approvedFor: reason } },
    { act: "decline", by: "owner", what: { asked: "export_data" } },
  ]);
});

it("of a refund names the currency of its payment, in the list and in the log", async () => {
  at.run(
    `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
     VALUES ('p', ?, 'pi', '30days', 'settled', 'EUR', 90000, 0, 0, 0, 0, 90000, 0, 0, 0, 1)`,
    ANA,
  );
  const refund = { act: "refund", paymentId: "p", cents: 90_000, keepsDays: false, reason } as const;
  expect(await at.act("one", KEY, refund)).toBe("waiting");
  await at.act("one", crypto.randomUUID(), copy);
  const { requests } = await listRequests(at.as("owner"));
  const { act: _act, reason: _reason, ...asked } = refund;
  expect(requests.map(({ what }) => what)).toEqual([{ ...asked, currency: "EUR" }, {}]);
  const [line] = at.rows(`SELECT what FROM operator_acts ORDER BY rowid`);
  expect(JSON.parse(String(line?.["what"]))).toEqual({ asked: "refund", ...asked, currency: "EUR" });
});

describe("a driver's data", () => {
  it("are fetched by who asked and who approved, for a day", async () => {
    await at.act("one", KEY, copy);
    expect(await fetched("one")).toBe("not_found");
    await at.decide("owner", KEY, true);
    expect([await fetched("one"), await fetched("owner")]).toEqual([ANA, ANA]);
    expect([await fetched("two"), await fetched("other")]).toEqual(["forbidden", "forbidden"]);
    at.clock.now += DAY_MS;
    expect(await fetched("one")).toBe(ANA);
    at.clock.now += 1;
    expect(await fetched("one")).toBe("conflict");
  });

  it("are fetched by no request that was declined, or was for something else", async () => {
    await at.act("one", KEY, copy);
    await at.decide("owner", KEY, false);
    expect(await fetched("one")).toBe("not_found");
    const gift = crypto.randomUUID();
    expect(await at.act("one", gift, { act: "days", days: 20, reason })).toBe("waiting");
    expect(await at.decide("owner", gift, true)).toBe("done");
    expect(await fetched("one", gift)).toBe("not_found");
  });
});
