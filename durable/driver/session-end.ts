import type { DriverId, DurationMs, EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { createTokenManager } from "../platform/token-manager.ts";

/** How long unlinking and deleting an account wait for the platform. */
const SESSION_END_LIMIT_MS: DurationMs = 3_000;

/** `done` also if the tokens no longer work. `retryAt` is null if the platform states no wait. */
export type SessionEndResult = { kind: "done" } | { kind: "failed"; retryAt: EpochMs | null };

type SessionEndContext = {
  driverId: DriverId;
  deps: Pick<Deps, "keys" | "platform" | "now" | "sleep" | "connections">;
  /** The end of the wait that the platform asked for. */
  waitsUntil: () => EpochMs | null;
  /** Tells every other call of a wait that the platform states. */
  noteRefusal: (result: { kind: string; retryAt?: unknown }) => void;
  /** Stores the new pair after a refresh rotated the tokens, so that the next try has it. */
  save: (sealedTokens: string) => void;
};

/**
 * Ends a session on the platform with tokens that were taken out of use. Returns within a few seconds; a call that takes longer
 * continues, and the next try finds the session ended.
 */
export async function endPlatformSession(
  sealedTokens: string,
  { driverId, deps, waitsUntil, noteRefusal, save }: SessionEndContext,
): Promise<SessionEndResult> {
  const { keys, platform, now, sleep, connections } = deps;
  let present: string | null = sealedTokens;
  const tokens = createTokenManager({
    driverId,
    keys,
    now,
    sleep,
    waitsUntil,
    refresh: (refreshToken) => platform.refreshTokens({ refreshToken }),
    inBackground: (work) => work(),
    store: {
      load: () => present,
      save: (sealed) => {
        present = sealed;
        if (sealed !== null) save(sealed);
      },
      setAside: () => {
        present = null;
      },
    },
  });
  const end = () =>
    connections.run("rest", async () => {
      const waitUntil = waitsUntil();
      if (waitUntil !== null) return { kind: "rate_limited" as const, retryAt: waitUntil };
      const result = await tokens.withToken((accessToken) => platform.endSession({ accessToken }));
      noteRefusal(result);
      return result;
    });
  const timer = new AbortController();
  const result = await Promise.race([
    end(),
    sleep(SESSION_END_LIMIT_MS, timer.signal).then(() => ({ kind: "timeout" as const })),
  ]);
  timer.abort();
  if (result.kind === "ended" || result.kind === "signed_out") return { kind: "done" };
  return { kind: "failed", retryAt: "retryAt" in result ? (result.retryAt ?? null) : null };
}
