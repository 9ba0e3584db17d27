import { Hono } from "hono";
import { z } from "zod";
import { countPolls, pollTimes } from "./arrivals.ts";
import { takeBlock } from "./platform/accept.ts";
import { forfeitBlock } from "./platform/blocks.ts";
import { REGIONS, WAREHOUSES } from "./platform/cities.ts";
import { changeOffer, drop, dropOffer, offerChange, openOffers, withdrawOffer } from "./platform/offers.ts";
import { requireSelfie } from "./platform/selfie.ts";
import { decideDevice, sessionView } from "./platform/sessions.ts";
import { revokeTokens } from "./platform/tokens.ts";
import { blockView, offerView, warehouseView } from "./platform/views.ts";
import { Refusal, parse, readBody } from "./problem.ts";
import { DEFAULTS, settings } from "./settings.ts";
import type { Settings } from "./settings.ts";
import type { Driver, Stage, State } from "./state.ts";

const worldChange = settings
  .partial()
  .extend({ reset: z.boolean().optional(), selfie: settings.shape.selfie.partial().optional() });
const byHand = drop.extend({ driverId: z.string() });
const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const history = z.strictObject({
  driverId: z.string(),
  blocks: z.array(
    z.strictObject({
      blockId: z.string(),
      offerId: z.string(),
      warehouseId: z.string(),
      serviceType: z.enum(["parcel", "whole_foods", "grocery", "other"]),
      startsAt: instant,
      endsAt: instant,
      payCents: z.int().min(0),
      acceptedAt: instant,
      checkedInAt: instant.nullable(),
    }),
  ),
});
const verification = z.strictObject({ required: z.boolean() });
const worldQuery = z.object({ email: z.string().optional() });
const pollQuery = z.object({ since: z.coerce.number().default(0), driverId: z.string().optional() });

/** The control routes: what the desk and tests can do to the world. */
export function controlRoutes({ state, now }: Stage) {
  const driverOf = (driverId: string): Driver => {
    const driver = state.drivers.get(driverId);
    if (!driver) throw new Refusal(404, "invalid_request", { detail: "There is no such driver." });
    return driver;
  };

  return new Hono()
    .get("/sandbox/health", (c) => c.json({ ok: true }, 200))
    .get("/sandbox/world", (c) => c.json(state.settings.get(), 200))
    .post("/sandbox/world", async (c) => c.json(changeWorld(state, await readBody(c, worldChange)), 200))
    .get("/sandbox/platform/world", (c) => {
      const { email } = parse(worldQuery, c.req.query());
      return c.json(worldView({ state, now }, email), 200);
    })
    .get("/sandbox/platform/accepts", (c) => c.json({ accepts: state.accepts.values() }, 200))
    .get("/sandbox/platform/polls", (c) => c.json(countPolls(state, parse(pollQuery, c.req.query())), 200))
    .get("/sandbox/platform/poll-times", (c) =>
      c.json(pollTimes(state, parse(pollQuery, c.req.query())), 200),
    )
    .post("/sandbox/platform/offers", async (c) => {
      const { offerId, publishedAt } = dropOffer(state, await readBody(c, drop), now());
      return c.json({ offerId, publishedAt }, 201);
    })
    .patch("/sandbox/platform/offers/:id", async (c) => {
      const change = await readBody(c, offerChange);
      return c.json(offerView(changeOffer(state, c.req.param("id"), change), now()), 200);
    })
    .delete("/sandbox/platform/offers/:id", (c) => {
      withdrawOffer(state, c.req.param("id"));
      return c.body(null, 204);
    })
    .post("/sandbox/platform/sessions/:id/approve", (c) =>
      c.json(decideDevice(state, c.req.param("id"), true, now()), 200),
    )
    .post("/sandbox/platform/sessions/:id/deny", (c) =>
      c.json(decideDevice(state, c.req.param("id"), false, now()), 200),
    )
    .post("/sandbox/platform/blocks", async (c) => {
      const { driverId, ...given } = await readBody(c, byHand);
      const driver = driverOf(driverId);
      const offer = dropOffer(state, given, now());
      withdrawOffer(state, offer.offerId);
      return c.json(blockView(takeBlock(state, driver, offer, now()), now()), 201);
    })
    .post("/sandbox/platform/history", async (c) => {
      // Blocks that a driver took before this world began.
      const { driverId, blocks } = await readBody(c, history);
      driverOf(driverId);
      for (const block of blocks) state.blocks.set(block.blockId, { ...block, driverId, forfeitedAt: null });
      return c.body(null, 204);
    })
    .delete("/sandbox/platform/blocks/:id", (c) => {
      const block = state.blocks.get(c.req.param("id"));
      if (!block) throw new Refusal(404, "block_not_found");
      forfeitBlock(state, block.driverId, block.blockId, now());
      return c.body(null, 204);
    })
    .post("/sandbox/platform/drivers/:id/verification", async (c) => {
      const { required } = await readBody(c, verification);
      requireSelfie(state, driverOf(c.req.param("id")), required);
      return c.json({ required }, 200);
    })
    .post("/sandbox/platform/drivers/:id/sign-out", (c) => {
      const { driverId } = driverOf(c.req.param("id"));
      revokeTokens(state, (holder) => holder.driverId === driverId);
      return c.body(null, 204);
    });
}

/** Updates the given settings. `reset` first empties the world and restores the defaults. */
function changeWorld(state: State, change: z.infer<typeof worldChange>): Settings {
  const { reset = false, selfie, ...given } = change;
  if (reset) state.reset();
  const before = reset ? DEFAULTS : state.settings.get();
  const after = settings.parse({ ...before, ...given, selfie: { ...before.selfie, ...selfie } });
  // With a moved clock or a new seed, offers that were generated ahead no longer apply.
  if (after.now !== before.now || after.seed !== before.seed) state.cursors.clear();
  state.settings.set(after);
  return after;
}

/** @param email whose sessions and account alone; everybody's if left out */
function worldView({ state, now }: Stage, email?: string) {
  const at = now();
  const isShown = (one: { email: string }) => email === undefined || one.email === email;
  const linked = new Set(
    state.refresh.values().flatMap(({ traded, driverId }) => (traded ? [] : [driverId])),
  );
  return {
    now: at,
    settings: state.settings.get(),
    regions: REGIONS,
    warehouses: WAREHOUSES.map((warehouse) => ({
      ...warehouseView(warehouse),
      regionId: warehouse.regionId,
    })),
    drivers: state.drivers
      .values()
      .filter(isShown)
      .map(({ driverId, email, regionId, selfieSecret }) => ({
        driverId,
        email,
        regionId,
        linked: linked.has(driverId),
        verificationRequired: selfieSecret !== null,
      })),
    offers: REGIONS.flatMap(({ regionId }) => openOffers(state, regionId, at)).map((offer) => ({
      ...offerView(offer, at),
      publishedAt: offer.publishedAt,
    })),
    blocks: state.blocks.values().map((block) => ({ ...blockView(block, at), driverId: block.driverId })),
    sessions: state.sessions
      .values()
      .filter(isShown)
      .map((session) => ({
        ...sessionView(session, at),
        id: session.sessionId,
        email: session.email,
        code: session.code,
        device: session.device,
      })),
  };
}
