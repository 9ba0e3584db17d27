import { beforeEach, describe, expect, it } from "vitest";
import { beginPause, loadPauseStatus } from "../../../db/queries/payments/pauses.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { actOnDriver } from "../../../worker/console/driver-acts.ts";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { NOW, prepareWeek } from "../../payments/checkout-harness.ts";
import { ANA, BIA, openDesk, outcomeOf, reason, type Desk } from "../desk.ts";

let at: Desk;
let paymentId: string;
beforeEach(async () => {
  at = openDesk();
  paymentId = await prepareWeek(at);
});

const act = (input: DriverAct, whose = ANA) => at.act("owner", crypto.randomUUID(), input, whose);
const refund = (change: object = {}): DriverAct => ({
  act: "refund",
  paymentId,
  cents: 5022,
  keepsDays: false,
  reason,
  ...change,
});
const price = (change: object = {}): DriverAct => ({
  act: "special_price",
  plan: "7days",
  priceCents: 4000,
  endsAt: NOW + DAY_MS,
  reason,
  ...change,
});
const payWeek = async () => {
  at.bank.pay("pi_2");
  await settleIntent(at.checkout, "pi_2");
};

describe("an act that makes no sense as things stand", () => {
  it("is refused for a driver whom nobody knows", async () => {
    at.run(`DELETE FROM users WHERE id = ?`, BIA);
    const acts: DriverAct[] = [
      { act: "show_phone", reason },
      { act: "points", points: 5, reason },
      { act: "export_data", reason },
    ];
    for (const input of acts) expect(await act(input, BIA), input.act).toBe("not_found");
    expect(at.rows(`SELECT id FROM operator_acts`)).toEqual([]);
  });

  it("takes no more days than are unused", async () => {
    await payWeek();
    expect(await act({ act: "days", days: -8, reason })).toBe("invalid_request");
    expect(await act({ act: "days", days: -7, reason })).toBe("done");
    expect(await act({ act: "days", days: -1, reason })).toBe("invalid_request");
  });

  it("takes no days of a pause, which are no service", async () => {
    await payWeek();
    const { db } = at.checkout;
    const { time } = await loadPauseStatus(db, ANA, NOW);
    await beginPause(db, ANA, { days: 5, time, now: NOW });
    expect(await act({ act: "days", days: -8, reason })).toBe("invalid_request");
    expect(await act({ act: "days", days: -7, reason })).toBe("done");
  });

  it("takes no more points than there are, from two hands at once either", async () => {
    at.givePoints(100);
    const taking = { act: "points", points: -60, reason } as const;
    expect((await Promise.all([act(taking), act(taking)])).toSorted()).toEqual(["done", "points_short"]);
    expect(await act({ act: "points", points: -41, reason })).toBe("points_short");
    expect(await act({ act: "points", points: -40, reason })).toBe("done");
  });

  it("gives back only what was paid, and only to who paid it", async () => {
    expect(await act(refund())).toBe("conflict");
    await payWeek();
    expect(await act(refund({ paymentId: "none" }))).toBe("not_found");
    expect(await act(refund(), BIA)).toBe("not_found");
    expect(await act(refund({ cents: 5023 }))).toBe("invalid_request");
    const cardless = { ...at.cardless, operator: at.as("owner").operator };
    const order = { driverId: ANA, id: crypto.randomUUID() };
    expect(await outcomeOf(actOnDriver(cardless, order, refund()))).toBe("cards_unavailable");
    expect(at.bank.count("refundIntent")).toBe(0);
    expect(await act(refund())).toBe("done");
    expect(await act(refund({ cents: 1 }))).toBe("conflict");
  });

  it("sets no price of a driver's own above the list's, below the least charge, or that has ended", async () => {
    expect(await act(price({ priceCents: 4987 }))).toBe("invalid_request");
    expect(await act(price({ priceCents: 49 }))).toBe("invalid_request");
    expect(await act(price({ endsAt: NOW }))).toBe("invalid_request");
    expect(await act(price({ priceCents: 4986 }))).toBe("done");
  });

  it("ends no price by way of another driver", async () => {
    expect(await act(price())).toBe("done");
    const discountId = String(at.rows(`SELECT id FROM price_cuts`)[0]?.["id"]);
    expect(await act({ act: "end_price", discountId, reason }, BIA)).toBe("not_found");
    expect(await act({ act: "end_price", discountId, reason })).toBe("done");
    expect(await act({ act: "end_price", discountId, reason })).toBe("not_found");
  });

  it("unlinks nobody who isn't linked", async () => {
    expect(await act({ act: "unlink", reason })).toBe("not_linked");
  });
});

it("an act that was declined in the moment of its yes is not done", async () => {
  const gift = crypto.randomUUID();
  expect(await at.act("one", gift, { act: "days", days: 20, reason })).toBe("waiting");
  const decided = await Promise.all([at.decide("owner", gift, true), at.decide("other", gift, false)]);
  expect(decided).toEqual(["conflict", "done"]);
  expect(at.rows(`SELECT source FROM service_credits WHERE source LIKE 'operator:%'`)).toEqual([]);
});
