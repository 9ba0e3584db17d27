import * as z from "zod";
import { attemptId, type EpochMs } from "../../../db/shapes/units.ts";
import type { Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { PartialBlock } from "../../../durable/engine/state/outcomes.ts";
import { createPlatform, type Platform } from "../../../durable/platform/client.ts";
import { violationsOf } from "./schema.ts";

/** `kept`; `differs` from the contract, and what we make of it; `harms` a driver; `skipped`, and why. */
export type Finding = { verdict: "kept" | "differs" | "harms" | "skipped"; what: string };

/** The means that a story needs. */
export type ConformanceDeps = {
  /** Sends a request to the server. */
  send: (request: Request) => Promise<Response>;
  baseUrl: string;
  /** Null: only what needs no account is tried, which are the refusals. */
  email: string | null;
  password: string;
  /** Asks for the one-time code that the server sent. */
  code: () => Promise<string>;
  now: () => EpochMs;
  wait: (ms: number) => Promise<void>;
  /** How long it waits for an approval or an offer. */
  patienceMs: number;
  /** Whether offers may be taken: real work, which is given back at the end. */
  mayTake: boolean;
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** How long before a block starts, or after, a driver may arrive. */
const ARRIVAL_MS = 25 * 60_000;

/**
 * Goes through the contract against a server with the product's own client: linking, offers, accepts, blocks, check-in, quota
 * and refusals. Each answer is also held against the contract itself.
 */
export async function runConformance(deps: ConformanceDeps): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = (verdict: Finding["verdict"], what: string) => {
    if (!findings.some((found) => found.what === what)) findings.push({ verdict, what });
  };
  let latest: { status: number; headers: Headers; body: unknown } | null = null;
  const platform = createPlatform({
    baseUrl: deps.baseUrl,
    userAgent: "Jornada-conform",
    now: deps.now,
    note: () => {},
    send: async (request) => {
      const response = await deps.send(request);
      const text = await response.clone().text();
      latest = {
        status: response.status,
        headers: response.headers,
        body: text === "" ? undefined : json(text),
      };
      return response;
    },
  });

  /** Makes a call and holds its answer against the contract. */
  async function call<Result extends { kind: string }>(
    name: string,
    make: (client: Platform) => Promise<Result>,
  ) {
    const result = await make(platform);
    const violations = latest === null ? ["no answer came"] : violationsOf(name, latest);
    for (const violation of violations)
      add("differs", `${name}: ${violation}. Jornada makes of it: ${result.kind.replaceAll("_", " ")}.`);
    if (violations.length === 0) add("kept", `${name} answers ${latest?.status} as the contract says.`);
    return result;
  }

  if (deps.email !== null) {
    const tokens = await link(deps.email);
    if (!tokens) return findings;
    await work(tokens.accessToken);
  }
  await refusals();
  return findings;

  async function link(email: string) {
    const device = { id: "jornada-conform", name: "Jornada" };
    const { password } = deps;
    const begun = await call("createSession", (client) => client.createSession({ email, password, device }));
    if (begun.kind !== "session") return harm(`createSession: no driver can link (${begun.kind}).`);
    const { sessionId } = begun.session;
    let step = begun;
    if (step.session.state === "otp_required") {
      const code = await deps.code();
      const answered = await call("answerOtp", (client) => client.answerOtp({ sessionId, code }));
      if (answered.kind !== "session") return harm(`answerOtp: no driver can link (${answered.kind}).`);
      step = answered;
    }
    const until = deps.now() + deps.patienceMs;
    while (step.session.state === "approval_required" && deps.now() < until) {
      await deps.wait(2_000);
      const looked = await call("readSession", (client) => client.readSession({ sessionId }));
      if (looked.kind !== "session") return harm(`readSession: no driver can link (${looked.kind}).`);
      step = looked;
    }
    const { tokens: pair } = step.session;
    if (!pair) return harm(`readSession: the session is ${step.session.state} and has no tokens.`);
    const refreshed = await call("refreshTokens", (client) => client.refreshTokens(pair));
    if (refreshed.kind !== "tokens")
      return harm(`refreshTokens: a link ends after an hour (${refreshed.kind}).`);
    const again = await call("refreshTokens", (client) => client.refreshTokens(pair));
    const isSame = again.kind === "tokens" && again.tokens.accessToken === refreshed.tokens.accessToken;
    if (isSame) add("kept", "refreshTokens: a lost answer is given again within 60 s.");
    else add("harms", "refreshTokens: a pair whose answer is lost is lost, and the driver must link again.");
    return refreshed.tokens;
  }

  async function work(accessToken: string): Promise<void> {
    const driver = await call("readDriver", (client) => client.readDriver({ accessToken }));
    if (driver.kind !== "driver") add("harms", `readDriver: no driver can link (${driver.kind}).`);
    const listed = await call("listWarehouses", (client) => client.listWarehouses({ accessToken }));
    if (listed.kind !== "warehouses" || listed.warehouses.length === 0)
      add("harms", "listWarehouses: there is no warehouse to choose, so nothing is captured.");
    else if (listed.skipped > 0)
      add("harms", `listWarehouses: ${listed.skipped} warehouses can't be chosen.`);
    const span = { from: deps.now() - DAY_MS, to: deps.now() + 30 * DAY_MS };
    const blocks = await call("listBlocks", (client) => client.listBlocks({ accessToken, ...span }));
    if (blocks.kind !== "blocks")
      add("harms", "listBlocks: nothing is captured, since any offer might overlap a block.");
    await arrive(accessToken, {
      blocks: blocks.kind === "blocks" ? blocks.blocks : [],
      warehouses: listed.kind === "warehouses" ? listed.warehouses : [],
    });
    const offers = await listOffers(accessToken);
    await quota(accessToken);
    if (offers.length > 0) await accepts(accessToken, offers);
    const earnings = await call("readEarnings", (client) => client.readEarnings({ accessToken, ...span }));
    if (earnings.kind !== "earnings") add("differs", "readEarnings: earnings are not shown.");
  }

  /** Checks in to a block of the driver's own that starts now, from its warehouse. */
  async function arrive(
    accessToken: string,
    { blocks, warehouses }: { blocks: readonly PartialBlock[]; warehouses: readonly Warehouse[] },
  ): Promise<void> {
    const skip = () => add("skipped", "checkIn: with --take, and a block that starts within half an hour.");
    if (!deps.mayTake) return skip();
    const block = blocks.find(
      ({ startsAt, status }) =>
        status === "scheduled" && startsAt !== null && Math.abs(startsAt - deps.now()) <= ARRIVAL_MS,
    );
    const place = warehouses.find(({ warehouseId }) => warehouseId === block?.warehouseId) ?? warehouses[0];
    if (!block?.blockId || !place) return skip();
    const { blockId } = block;
    const { latitude, longitude } = place;
    const position = { latitude, longitude, accuracyMeters: 10, observedAt: deps.now() };
    const result = await call("checkIn", (client) => client.checkIn({ accessToken, blockId, position }));
    if (result.kind === "checked_in") add("kept", "checkIn: from the warehouse, in time, it is granted.");
    else
      add("harms", `checkIn: from the warehouse, in time, it is answered ${result.kind}: nobody can arrive.`);
  }

  async function listOffers(accessToken: string): Promise<readonly Offer[]> {
    const until = deps.now() + deps.patienceMs;
    for (;;) {
      const result = await call("listOffers", (client) =>
        client.listOffers({ accessToken, warehouseIds: [], etag: null }),
      );
      if (result.kind !== "offers") {
        add("harms", `listOffers: nothing is captured (${result.kind}).`);
        return [];
      }
      if (result.skipped > result.offers.length) {
        add("harms", `listOffers: ${result.skipped} offers can't be read, and nothing is captured.`);
        return [];
      }
      if (result.offers.length > 0) return result.offers;
      if (deps.now() >= until) {
        add("skipped", "accepts: no offer was listed in time.");
        return [];
      }
      await deps.wait(1_000);
    }
  }

  async function quota(accessToken: string): Promise<void> {
    const headers = latest?.headers;
    const named = ["limit", "remaining", "reset"].filter(
      (name) => headers?.get(`ratelimit-${name}`) === null,
    );
    if (named.length === 0) add("kept", "quota: RateLimit-Limit, -Remaining and -Reset say what is left.");
    else
      add(
        "differs",
        `quota: RateLimit-${named.join(", -")} is missing. Jornada learns the quota by being refused.`,
      );
    const etag = headers?.get("etag") ?? null;
    if (etag === null) return add("differs", "ETag: every poll costs a whole answer.");
    const same = await call("listOffers", (client) =>
      client.listOffers({ accessToken, warehouseIds: [], etag }),
    );
    if (same.kind === "unchanged") add("kept", "ETag: 304 where nothing changed.");
    else if (same.kind !== "offers") add("harms", `ETag: a poll with If-None-Match fails (${same.kind}).`);
  }

  async function accepts(accessToken: string, offers: readonly Offer[]): Promise<void> {
    if (!deps.mayTake) return add("skipped", "accepts: with --take, an offer is taken and given back.");
    const wanted = offers.filter(({ startsAt }) => startsAt > deps.now() + 2 * HOUR_MS);
    const [offer] = wanted.length > 0 ? wanted : offers;
    if (!offer) return;
    const { offerId } = offer;
    const key = (name: string) => z.parse(attemptId, `conform-${name}-${deps.now()}`);
    const first = key("first");
    const take = (id: typeof first, of = offerId) =>
      call("acceptOffer", (client) =>
        client.acceptOffer({ accessToken, offerId: of, attemptId: id, payAtLeastCents: 0 }),
      );
    const won = await take(first);
    if (won.kind !== "won")
      return add("differs", `acceptOffer: the first offer was not given (${won.kind}).`);
    if (!won.block?.blockId)
      add("harms", "acceptOffer: the block has no id, so nobody can check in to it at once.");
    const repeated = await take(first);
    if (repeated.kind === "won" && repeated.block?.blockId === won.block?.blockId)
      add(
        "kept",
        "acceptOffer: the same key gives the first answer again, so that a lost answer loses nothing.",
      );
    else
      add(
        "harms",
        `acceptOffer: the same key is answered ${repeated.kind}: a lost answer may lose a block or take two.`,
      );
    const other = await take(key("other"));
    if (other.kind === "already_yours") add("kept", "acceptOffer: another key is answered already_yours.");
    else add("harms", `acceptOffer: another key is answered ${other.kind}: a block may be taken twice.`);
    const overlapping = offers.find(
      (one) => one.offerId !== offerId && one.startsAt < offer.endsAt && offer.startsAt < one.endsAt,
    );
    if (!overlapping) add("skipped", "acceptOffer: no second offer overlaps the first.");
    else {
      const double = await take(key("overlap"), overlapping.offerId);
      if (double.kind === "lost" && double.reason === "overlap")
        add("kept", "acceptOffer: what overlaps a block is refused.");
      else if (double.kind === "won")
        add(
          "harms",
          "acceptOffer: what overlaps a block is given: a block taken by hand a moment ago is doubled.",
        );
    }
    await held(accessToken, offer, won.block?.blockId ?? null);
  }

  async function held(accessToken: string, offer: Offer, given: string | null): Promise<void> {
    const span = { from: deps.now() - DAY_MS, to: deps.now() + 30 * DAY_MS };
    const listed = await call("listBlocks", (client) => client.listBlocks({ accessToken, ...span }));
    const blocks = listed.kind === "blocks" ? listed.blocks : [];
    const found = blocks.find((block) => block.offerId === offer.offerId || block.blockId === given);
    if (!found)
      add("harms", "listBlocks: a block that was given is not listed: a lost answer is never found again.");
    else if (found.offerId !== offer.offerId)
      add(
        "harms",
        "listBlocks: a block does not say from which offer it came: after a lost answer it is only 'probably yours'.",
      );
    else add("kept", "listBlocks: a block that was given is listed with its offer.");
    const blockId = found?.blockId ?? null;
    if (blockId === null) return;
    const position = { latitude: 0, longitude: 0, accuracyMeters: 10, observedAt: deps.now() };
    const arrival = await call("checkIn", (client) => client.checkIn({ accessToken, blockId, position }));
    const refused = ["too_early", "outside_geofence"];
    if (refused.includes(arrival.kind)) add("kept", "checkIn: from elsewhere, or too early, it is refused.");
    else add("differs", `checkIn: from nowhere, hours before, it is answered ${arrival.kind}.`);
    const back = await call("forfeitBlock", (client) => client.forfeitBlock({ accessToken, blockId }));
    if (back.kind === "forfeited") add("kept", "forfeitBlock: the block is given back.");
    else add("differs", `forfeitBlock: the block of the test could not be given back (${back.kind}).`);
  }

  async function refusals(): Promise<void> {
    const unknown = await call("readDriver", (client) => client.readDriver({ accessToken: "nobody" }));
    if (unknown.kind === "signed_out") add("kept", "refusals: an unknown token is answered 401.");
    else
      add(
        "harms",
        `refusals: an unknown token is answered ${unknown.kind}: nobody sees that a link has ended.`,
      );
    const grant = await call("refreshTokens", (client) => client.refreshTokens({ refreshToken: "nobody" }));
    if (grant.kind === "invalid_grant")
      add("kept", "refusals: an unknown refresh token is an invalid_grant.");
    else
      add(
        "harms",
        `refusals: an unknown refresh token is answered ${grant.kind}: nobody is told to link again.`,
      );
  }

  function harm(what: string): null {
    add("harms", what);
    return null;
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
