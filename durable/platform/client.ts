import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { Send } from "../runtime/send.ts";
import { createRequester } from "./request.ts";
import { createLinkCalls, type LinkCalls } from "./link-calls.ts";
import { createWorkCalls, type WorkCalls } from "./work-calls.ts";

/**
 * The delivery platform, by its contract (platform.openapi.yaml): every operation of it. An answer
 * is parsed once, here; times are epoch ms and money is in minor units from here on. No call
 * throws or logs: a failure is a value with a `kind`.
 */
export type Platform = LinkCalls & WorkCalls;

/** How long a call may take, its body included: a poll, an accept, any other. */
export type PlatformTimeouts = { pollMs: DurationMs; acceptMs: DurationMs; otherMs: DurationMs };

const TIMEOUTS: PlatformTimeouts = { pollMs: 5_000, acceptMs: 8_000, otherMs: 10_000 };

/**
 * A client of the platform at `baseUrl`.
 * @param options.userAgent who calls: `Jornada/<version> (+<PUBLIC_URL>)`
 * @param options.send the one door out (durable/send.ts)
 * @param options.timeouts what differs from 5 s for a poll, 8 s for an accept and 10 s for the rest
 */
export function createPlatform({
  baseUrl,
  userAgent,
  send,
  now,
  timeouts,
}: {
  baseUrl: string;
  userAgent: string;
  send: Send;
  now: () => EpochMs;
  timeouts?: Partial<PlatformTimeouts>;
}): Platform {
  const call = createRequester({ baseUrl, userAgent, send, now });
  const limits = { ...TIMEOUTS, ...timeouts };
  return { ...createLinkCalls(call, limits.otherMs), ...createWorkCalls(call, limits) };
}
