import { Hono } from "hono";
import { z } from "zod";
import { digest } from "../chance.ts";
import { Refusal, parse, readBody } from "../problem.ts";
import type { Driver, Stage } from "../state.ts";
import { acceptOffer } from "./accept.ts";
import { blocksWithin, checkIn, earningsWithin, forfeitBlock } from "./blocks.ts";
import { WAREHOUSES, regionOf } from "./cities.ts";
import { openOffers } from "./offers.ts";
import { spendQuota } from "./quota.ts";
import { selfieUrl } from "./selfie.ts";
import { answerOtp, createSession, readSession, resendOtp } from "./sessions.ts";
import { authenticate, refreshTokens, revokeTokens } from "./tokens.ts";
import { blockView, offerView, warehouseView } from "./views.ts";

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const credentials = z.object({
  email: z.email().max(254),
  password: z.string().min(1).max(256),
  device: z.object({ id, name: z.string().max(64) }),
});
const otp = z.object({ code: z.string().regex(/^[0-9]{4,8}$/) });
const grant = z.object({ refreshToken: z.string().min(1).max(4096) });
const acceptBody = z.object({ payAtLeast: z.int().min(0) });
const acceptKey = z.string().min(8).max(64);
const arrival = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracyMeters: z.number().min(0),
  observedAt: instant,
});
const span = z.object({ from: instant, to: instant });
const warehouseList = z.string().max(4096).optional();

/** The delivery platform's API, as in its contract. */
export function platformRoutes({ state, now }: Stage) {
  const driverOf = (c: { req: { header(name: string): string | undefined } }) =>
    authenticate(state, c.req.header("authorization"), now());
  const requireVerified = (driver: Driver, requestUrl: string, headers?: Record<string, string>) => {
    const url = selfieUrl(state, driver, requestUrl);
    if (url !== null) throw new Refusal(403, "verification_required", { url }, headers);
  };

  return new Hono()
    .post("/v1/sessions", async (c) =>
      c.json(createSession(state, await readBody(c, credentials), now()), 201),
    )
    .get("/v1/sessions/:id", (c) => c.json(readSession(state, c.req.param("id"), now()), 200))
    .post("/v1/sessions/:id/otp", async (c) => {
      const { code } = await readBody(c, otp);
      return c.json(answerOtp(state, c.req.param("id"), code, now()), 200);
    })
    .post("/v1/sessions/:id/otp/resend", (c) => {
      resendOtp(state, c.req.param("id"), now());
      return c.body(null, 202);
    })
    .post("/v1/token", async (c) => {
      const { refreshToken } = await readBody(c, grant);
      return c.json(refreshTokens(state, refreshToken, now()), 200);
    })
    .delete("/v1/sessions/current", (c) => {
      const { family } = driverOf(c);
      revokeTokens(state, (holder) => holder.family === family);
      return c.body(null, 204);
    })
    .get("/v1/driver", (c) => {
      const driver = driverOf(c);
      const { regionId, name, timeZone } = regionOf(driver.regionId);
      const url = selfieUrl(state, driver, c.req.url);
      const verification = { required: url !== null, ...(url === null ? {} : { url }) };
      const region = { id: regionId, name };
      return c.json({ driverId: driver.driverId, region, timeZone, currency: "USD", verification }, 200);
    })
    .get("/v1/warehouses", (c) => {
      const { regionId } = driverOf(c);
      const { closedWarehouses } = state.settings.get();
      const warehouses = WAREHOUSES.filter(
        (warehouse) => warehouse.regionId === regionId && !closedWarehouses.includes(warehouse.warehouseId),
      ).map(warehouseView);
      return c.json({ warehouses }, 200);
    })
    .get("/v1/offers", (c) => {
      const driver = driverOf(c);
      const headers = spendQuota(state, driver.driverId, now());
      requireVerified(driver, c.req.url, headers);
      const wanted = parse(warehouseList, c.req.query("warehouseIds"))?.split(",");
      const offers = openOffers(state, driver.regionId, now())
        .filter(({ warehouseId }) => wanted === undefined || wanted.includes(warehouseId))
        .slice(0, 200)
        .map((offer) => offerView(offer, now()));
      const body = JSON.stringify({ offers });
      const etag = `"${digest(body)}"`;
      if (isKnown(c.req.header("if-none-match"), etag)) return c.body(null, 304, { ...headers, etag });
      return c.body(body, 200, { ...headers, etag, "content-type": "application/json" });
    })
    .post("/v1/offers/:id/accept", async (c) => {
      const driver = driverOf(c);
      const key = parse(acceptKey, c.req.header("idempotency-key"));
      const { payAtLeast } = await readBody(c, acceptBody);
      requireVerified(driver, c.req.url);
      const { status, body } = acceptOffer(
        state,
        { driver, offerId: c.req.param("id"), key, payAtLeast },
        now(),
      );
      return c.body(JSON.stringify(body), status, {
        "content-type": status === 200 ? "application/json" : "application/problem+json",
      });
    })
    .get("/v1/blocks", (c) => {
      const { driverId } = driverOf(c);
      const blocks = blocksWithin(state, driverId, parse(span, c.req.query()));
      return c.json({ blocks: blocks.map((block) => blockView(block, now())) }, 200);
    })
    .delete("/v1/blocks/:id", (c) => {
      forfeitBlock(state, driverOf(c).driverId, c.req.param("id"), now());
      return c.body(null, 204);
    })
    .post("/v1/blocks/:id/check-in", async (c) => {
      const { driverId } = driverOf(c);
      const position = await readBody(c, arrival);
      return c.json(checkIn(state, { driverId, blockId: c.req.param("id"), position }, now()), 200);
    })
    .get("/v1/earnings", (c) => {
      const { driverId } = driverOf(c);
      return c.json(earningsWithin(state, driverId, parse(span, c.req.query()), now()), 200);
    });
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
