import * as z from "zod";
import { attemptId, blockId, offerId, warehouseId } from "../../db/shapes/units.ts";
import { noteFailures } from "../../durable/runtime/call-failure.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { createPlatform, type Platform, type PlatformTimeouts } from "../../durable/platform/client.ts";
import { RECORDED, type Recorded } from "./contract.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");
export const AGENT = "Jornada/0.1.0 (+https://jornada.example)";

type Reply = (request: Request) => Response | Promise<Response>;

/** A platform that answers every call with the same response, and the requests that it received. */
export function createPlatformHarness(
  reply: Reply,
  {
    timeouts,
    onDrift,
    log = () => {},
  }: { timeouts?: Partial<PlatformTimeouts>; onDrift?: (field: string) => void; log?: Log } = {},
): { platform: Platform; requests: Request[] } {
  const requests: Request[] = [];
  const platform = createPlatform({
    baseUrl: "https://platform.example/",
    userAgent: AGENT,
    note: noteFailures("platform", log),
    now: () => NOW,
    ...(timeouts && { timeouts }),
    ...(onDrift && { onDrift }),
    send: async (request) => {
      requests.push(request.clone());
      return reply(request);
    },
  });
  return { platform, requests };
}

/** Replays a recorded response. */
export function replayResponse(name: string, changes: Partial<Recorded> = {}): Response {
  const found = RECORDED.get(name);
  if (!found) throw new Error(`no fixture ${name}`);
  const { status, headers, body } = { ...found, ...changes };
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
}

/** A copy of a recorded response's body, for a test to modify. */
export function bodyOf(name: string): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(RECORDED.get(name)?.body);
}

/** A copy of a list in a recorded response, for a test to modify. */
export function itemsOf(name: string, list: string): Record<string, unknown>[] {
  return z.array(z.record(z.string(), z.unknown())).parse(bodyOf(name)[list]);
}

/** A problem details response. */
export function problemResponse(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ status, code, title: "Words" }, { status, headers });
}

/** Never responds; rejects when the request's signal aborts. */
export function neverResponds(request: Request): Promise<Response> {
  return new Promise((_, reject) => {
    request.signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
  });
}

export const ids = {
  warehouse: (text: string) => z.parse(warehouseId, text),
  offer: (text: string) => z.parse(offerId, text),
  block: (text: string) => z.parse(blockId, text),
  attempt: (text: string) => z.parse(attemptId, text),
};

/** Calls every operation of the contract with plausible input. */
export const CALLS = {
  createSession: (platform) =>
    platform.createSession({
      email: "ana@example.com",
      password: "correct horse",
      device: { id: "jornada-1", name: "Jornada" },
    }),
  readSession: (platform) => platform.readSession({ sessionId: "ses_9fK2" }),
  answerOtp: (platform) => platform.answerOtp({ sessionId: "ses_9fK2", code: "123456" }),
  resendOtp: (platform) => platform.resendOtp({ sessionId: "ses_9fK2" }),
  refreshTokens: (platform) => platform.refreshTokens({ refreshToken: "rt_live.1" }),
  endSession: (platform) => platform.endSession({ accessToken: "at" }),
  readDriver: (platform) => platform.readDriver({ accessToken: "at" }),
  listWarehouses: (platform) => platform.listWarehouses({ accessToken: "at" }),
  listOffers: (platform) =>
    platform.listOffers({
      accessToken: "at",
      warehouseIds: [ids.warehouse("DNY4"), ids.warehouse("WFM-12")],
      etag: null,
    }),
  acceptOffer: (platform) =>
    platform.acceptOffer({
      accessToken: "at",
      offerId: ids.offer("off_1"),
      attemptId: ids.attempt("prefix-00001"),
      payAtLeastCents: 9000,
    }),
  listBlocks: (platform) => platform.listBlocks({ accessToken: "at", from: NOW, to: NOW + 86_400_000 }),
  forfeitBlock: (platform) => platform.forfeitBlock({ accessToken: "at", blockId: ids.block("blk_1") }),
  checkIn: (platform) =>
    platform.checkIn({
      accessToken: "at",
      blockId: ids.block("blk_1"),
      position: { latitude: 40.75, longitude: -73.49, accuracyMeters: 12, observedAt: NOW },
    }),
  readEarnings: (platform) => platform.readEarnings({ accessToken: "at", from: NOW, to: NOW + 86_400_000 }),
} satisfies { [Name in keyof Platform]: (platform: Platform) => Promise<unknown> };

export type Operation = keyof typeof CALLS;
export const OPERATIONS = Object.entries(CALLS);
