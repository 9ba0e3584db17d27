import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { NoteFailure } from "../runtime/call-failure.ts";
import type { Send } from "../runtime/send.ts";
import { createRequester } from "./request.ts";
import { createLinkCalls, type LinkCalls } from "./link-calls.ts";
import { createWorkCalls, type WorkCalls } from "./work-calls.ts";

/**
 * A client of the delivery platform, with every operation of its contract (platform.openapi.yaml). Responses are
 * parsed here; from here on times are epoch ms and money is in minor units. No call throws: a failure is a value with a
 * `kind`. Where none of the platform's answers came, `note` is told why.
 */
export type Platform = LinkCalls & WorkCalls;

/** Time limits, response body included, for a poll, an accept and every other call. */
export type PlatformTimeouts = { pollMs: DurationMs; acceptMs: DurationMs; otherMs: DurationMs };

const TIMEOUTS: PlatformTimeouts = { pollMs: 5_000, acceptMs: 8_000, otherMs: 10_000 };

/**
 * A client of the platform at `baseUrl`.
 * @param options.userAgent identifies us: `Jornada/<version> (+<PUBLIC_URL>)`
 * @param options.onDrift called with the call and the name of each field that is not as the contract says
 * @param options.timeouts overrides 5 s for a poll, 8 s for an accept and 10 s for every other call
 */
export function createPlatform({
  baseUrl,
  userAgent,
  send,
  note,
  now,
  timeouts,
  onDrift,
}: {
  baseUrl: string;
  userAgent: string;
  send: Send;
  note: NoteFailure;
  now: () => EpochMs;
  timeouts?: Partial<PlatformTimeouts>;
  onDrift?: (field: string) => void;
}): Platform {
  const call = createRequester({ baseUrl, userAgent, send, note, now, ...(onDrift && { onDrift }) });
  const limits = { ...TIMEOUTS, ...timeouts };
  return { ...createLinkCalls(call, limits.otherMs), ...createWorkCalls(call, limits) };
}
