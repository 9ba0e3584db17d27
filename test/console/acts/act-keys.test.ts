import { beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { ANA, BIA, openDesk, reason, type Desk } from "../desk.ts";

const KEY = "6f0c6f6e-5f0e-4c0c-9d56-0123456789ab";
const look = { act: "show_phone", reason } as const;

let at: Desk;
beforeEach(() => {
  at = openDesk();
});

const lines = () => at.rows(`SELECT act, driver_id FROM operator_acts`).map((row) => ({ ...row }));

describe("a key that was used", () => {
  it("answers the same act again, and does nothing", async () => {
    const days = { act: "days", days: 4, reason } as const;
    expect([await at.act("owner", KEY, days), await at.act("owner", KEY, days)]).toEqual(["done", "done"]);
    expect(at.rows(`SELECT source FROM service_credits`)).toHaveLength(1);
    expect(lines()).toHaveLength(1);
  });

  it("shows nobody another driver's number", async () => {
    expect(await at.act("one", KEY, look)).toBe("done");
    expect(await at.act("one", KEY, look, BIA)).toBe("conflict");
    expect(lines()).toEqual([{ act: "show_phone", driver_id: ANA }]);
  });

  it("shows a number again for as long as an answer may be lost, and no later one without a line", async () => {
    expect(await at.act("one", KEY, look)).toBe("done");
    at.clock.now += 10 * MINUTE_MS;
    expect(await at.act("one", KEY, look)).toBe("done");
    at.clock.now += 1;
    expect(await at.act("one", KEY, look)).toBe("conflict");
    expect(await at.act("one", crypto.randomUUID(), look)).toBe("done");
    expect(lines()).toHaveLength(2);
  });

  it("is no other operator's", async () => {
    expect(await at.act("one", KEY, look)).toBe("done");
    expect(await at.act("two", KEY, look)).toBe("conflict");
  });

  it("is for no other act of the same facts", async () => {
    expect(await at.act("one", KEY, look)).toBe("done");
    expect(await at.act("one", KEY, { act: "end_renewal", reason })).toBe("conflict");
  });

  it("is for no other figures", async () => {
    expect(await at.act("owner", KEY, { act: "points", points: 10, reason })).toBe("done");
    expect(await at.act("owner", KEY, { act: "points", points: 100, reason })).toBe("conflict");
    expect(at.rows(`SELECT points FROM point_entries`).map(({ points }) => points)).toEqual([10]);
  });
});
