import { describe, expect, it } from "vitest";
import { BETHPAGE, HOUR, MINUTE, START, type OpenSandbox } from "../sandbox-harness.ts";
import { arrivedAt, problem, wide } from "./replies.ts";

/** A driver's acts on a block, and their pay. */
export function describeBlocks(open: OpenSandbox): void {
  describe("blocks", () => {
    it("lists blocks by start within at most 62 days, including forfeited ones", async () => {
      const { token } = await open().link();
      const late = await open().accept(token, await open().drop({ inMinutes: 600 }));
      const early = await open().accept(token, await open().drop({ inMinutes: 45 }));
      await open().call("forfeitBlock", { token, path: { blockId: String(early.body.blockId) } });
      const { blocks } = (await open().call("listBlocks", { token, query: wide })).body as {
        blocks: object[];
      };
      expect(blocks).toEqual([{ ...early.body, status: "forfeited" }, late.body]);
      const from = String(late.body.startsAt);
      const none = await open().call("listBlocks", { token, query: { from: wide.from, to: from } });
      expect(none.body.blocks).toHaveLength(1);
      const to = new Date(Date.parse(wide.from) + 62 * 24 * HOUR + 1).toISOString();
      expect(problem(await open().call("listBlocks", { token, query: { ...wide, to } }))).toEqual([
        400,
        "invalid_request",
      ]);
    });

    it("lets a driver forfeit their own block until 45 minutes before the start", async () => {
      const { token } = await open().link();
      const rival = await open().link("rival@example.com");
      const { body } = await open().accept(token, await open().drop());
      const path = { blockId: String(body.blockId) };
      expect(problem(await open().call("forfeitBlock", { token: rival.token, path }))).toEqual([
        404,
        "block_not_found",
      ]);
      await open().world({ now: START + 75 * MINUTE + 1 });
      const { token: again } = await open().link();
      expect(problem(await open().call("forfeitBlock", { token: again, path }))).toEqual([409, "too_late"]);
    });

    it("allows check-in inside the geofence from 30 minutes before the start", async () => {
      await open().world({ accessTokenSeconds: 24 * 3600 });
      const { token } = await open().link();
      const { body } = await open().accept(token, await open().drop());
      const path = { blockId: String(body.blockId) };
      const arrive = (position = BETHPAGE) =>
        open().call("checkIn", { token, path, body: arrivedAt(position) });

      const opensAt = new Date(START + 90 * MINUTE).toISOString();
      expect((await arrive()).body).toMatchObject({ code: "too_early", opensAt });
      await open().world({ now: START + 90 * MINUTE });
      const far = await arrive({ ...BETHPAGE, latitude: BETHPAGE.latitude + 0.002 });
      expect(problem(far)).toEqual([409, "outside_geofence"]);
      expect(far.body.distanceMeters).toBeCloseTo(222.4, 0);
      expect((await arrive()).body).toMatchObject({ status: "checked_in", checkedInAt: opensAt });
      expect(problem(await arrive())).toEqual([409, "already_checked_in"]);
      const nowhere = { blockId: "blk_none" };
      const lost = await open().call("checkIn", { token, path: nowhere, body: arrivedAt(BETHPAGE) });
      expect(problem(lost)).toEqual([404, "block_not_found"]);
    });

    it("closes check-in after the start and pays for blocks that have ended", async () => {
      await open().world({ accessTokenSeconds: 24 * 3600 });
      const { token } = await open().link();
      const { body } = await open().accept(token, await open().drop({ payCents: 8750 }));
      const path = { blockId: String(body.blockId) };
      await open().world({ now: START + 135 * MINUTE + 1 });
      const late = await open().call("checkIn", { token, path, body: arrivedAt(BETHPAGE) });
      expect(problem(late)).toEqual([409, "too_late"]);
      expect((await open().call("readEarnings", { token, query: wide })).body).toMatchObject({
        total: 0,
        items: [],
      });
      await open().world({ now: START + 300 * MINUTE });
      expect((await open().call("readEarnings", { token, query: wide })).body).toEqual({
        currency: "USD",
        total: 8750,
        items: [{ blockId: path.blockId, amount: 8750, tips: 0 }],
      });
    });
  });
}
