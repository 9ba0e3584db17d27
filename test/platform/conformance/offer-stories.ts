import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, START, type OpenSandbox } from "../sandbox-harness.ts";
import { problem } from "./replies.ts";

/** The list of offers, and taking one. */
export function describeOffers(open: OpenSandbox): void {
  describe("offers", () => {
    it("lists offers with the quota, answers 304 if nothing changed, and 429 once the quota is used up", async () => {
      await open().world({ quotas: { limit: 4, windowSeconds: 30 } });
      const { token } = await open().link();
      const offerId = await open().drop();
      await open().drop({ warehouseId: "nyc-wfm7", inMinutes: 300 });
      const quota = ({ headers }: { headers: Headers }) =>
        ["limit", "remaining", "reset"].map((name) => headers.get(`ratelimit-${name}`));

      const first = await open().call("listOffers", { token, query: { warehouseIds: "nyc-dny4" } });
      expect(first.body.offers).toEqual([
        expect.objectContaining({ offerId, pay: { amount: 9000, currency: "USD" } }),
      ]);
      const known = {
        token,
        query: { warehouseIds: "nyc-dny4" },
        headers: { "If-None-Match": first.headers.get("etag") ?? "" },
      };
      const second = await open().call("listOffers", known);
      await open().control("PATCH", `/sandbox/platform/offers/${offerId}`, { payCents: 9500 });
      const third = await open().call("listOffers", known);
      const all = await open().call("listOffers", { token });
      const limited = await open().call("listOffers", { token });
      expect([first, second, third, all, limited].map((reply) => [reply.status, ...quota(reply)])).toEqual([
        [200, "4", "3", "30"],
        [304, "4", "2", "30"],
        [200, "4", "1", "30"],
        [200, "4", "0", "30"],
        [429, "4", "0", "30"],
      ]);
      expect(all.body.offers).toHaveLength(2);
      expect(limited.headers.get("retry-after")).toBe("30");
      await open().world({ now: START + 30_000 });
      expect((await open().call("listOffers", { token })).status).toBe(200);
    });

    it("gives an offer to one driver and repeats the response to an idempotency key for a day", async () => {
      const { token } = await open().link();
      const rival = await open().link("rival@example.com");
      const offerId = await open().drop({ inMinutes: 48 * 60 });
      const taken = await open().accept(token, offerId, { payAtLeast: 9000 });
      expect(taken.body).toMatchObject({ offerId, status: "scheduled", pay: { amount: 9000 } });
      expect((await open().accept(token, offerId, { payAtLeast: 9000 })).body).toEqual(taken.body);

      const other = await open().accept(token, offerId, { key: "another-key" });
      expect([...problem(other), other.body.block]).toEqual([409, "already_yours", taken.body]);
      expect(problem(await open().accept(rival.token, offerId))).toEqual([409, "offer_gone"]);
      expect((await open().call("listOffers", { token })).body.offers).toEqual([]);

      await open().world({ now: START + 24 * HOUR, accessTokenSeconds: 7 * 24 * 3600 });
      const later = await open().link();
      expect(problem(await open().accept(later.token, offerId))).toEqual([409, "already_yours"]);
    });

    it("repeats a refusal for its idempotency key even if the offer has changed", async () => {
      const { token } = await open().link();
      const offerId = await open().drop({ payCents: 8000 });
      expect(problem(await open().accept(token, offerId, { payAtLeast: 8001 }))).toEqual([
        409,
        "pay_changed",
      ]);
      await open().control("PATCH", `/sandbox/platform/offers/${offerId}`, { payCents: 9000 });
      expect(problem(await open().accept(token, offerId, { payAtLeast: 8001 }))).toEqual([
        409,
        "pay_changed",
      ]);
      expect((await open().accept(token, offerId, { key: "a-fresh-key", payAtLeast: 8001 })).status).toBe(
        200,
      );
    });

    it("rejects overlapping blocks and allows adjacent ones", async () => {
      const { token, driverId } = await open().link();
      const startsAt = new Date(START + 120 * MINUTE).toISOString();
      const byHand = { driverId, warehouseId: "nyc-dny4", startsAt, minutes: 180, payCents: 9000 };
      await open().control("POST", "/sandbox/platform/blocks", byHand);
      expect(problem(await open().accept(token, await open().drop({ inMinutes: 270 })))).toEqual([
        409,
        "overlap",
      ]);
      expect((await open().accept(token, await open().drop({ inMinutes: 300 }))).status).toBe(200);
      expect((await open().accept(token, await open().drop({ inMinutes: 60, minutes: 60 }))).status).toBe(
        200,
      );
    });

    it("applies the weekly limit from Monday to Sunday in the warehouse's time zone, by the block's start", async () => {
      await open().world({ weeklyLimitMinutes: 300 });
      const { token } = await open().link();
      const lateOnSunday = await open().drop({ inMinutes: (6 * 24 + 12) * 60, minutes: 240 });
      const friday = await open().drop({ inMinutes: 4 * 24 * 60, minutes: 90 });
      const nextMonday = await open().drop({ inMinutes: (6 * 24 + 20) * 60, minutes: 240 });
      expect((await open().accept(token, lateOnSunday)).status).toBe(200);
      expect(problem(await open().accept(token, friday))).toEqual([409, "weekly_limit"]);
      expect((await open().accept(token, nextMonday)).status).toBe(200);
    });

    it("requires a selfie until it is taken on the platform's page", async () => {
      const { token, driverId } = await open().link();
      const offerId = await open().drop();
      await open().control("POST", `/sandbox/platform/drivers/${driverId}/verification`, { required: true });
      const refused = await open().call("listOffers", { token });
      expect(problem(refused)).toEqual([403, "verification_required"]);
      expect(problem(await open().accept(token, offerId))).toEqual([403, "verification_required"]);
      const url = String(refused.body.url);
      expect((await open().call("readDriver", { token })).body.verification).toEqual({ required: true, url });
      expect(await (await fetch(url)).text()).toContain("Take the selfie");
      await fetch(url, { method: "POST" });
      expect((await open().call("readDriver", { token })).body.verification).toEqual({ required: false });
      expect((await open().accept(token, offerId)).status).toBe(200);
    });
  });
}
