import type { Effect, MachineEvent } from "../engine/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { Platform } from "../platform/client.ts";
import type { TokenManager } from "../platform/token-manager.ts";

/** Takes what came back, at once: it may lead to further calls. */
export type ApplyEvent = (event: MachineEvent) => Promise<void>;

type PlatformEffect = Extract<Effect, { kind: "poll" | "read_blocks" | "accept" }>;

/** Makes the call that an effect asks for and hands each answer on as it arrives. Never throws. */
export async function performEffect(
  effect: PlatformEffect,
  {
    platform,
    tokens,
    now,
    apply,
    tellSkipped: logSkipped,
  }: {
    platform: Platform;
    tokens: TokenManager;
    now: () => EpochMs;
    apply: ApplyEvent;
    /** Offers that could not be read: the platform speaks otherwise than its contract. */
    tellSkipped: (count: number) => void;
  },
): Promise<void> {
  switch (effect.kind) {
    case "poll": {
      const sentAt = now();
      const outcome = await tokens.withToken((accessToken) =>
        platform.listOffers({ accessToken, warehouseIds: effect.warehouseIds, etag: effect.etag }),
      );
      if (outcome.kind === "offers" && outcome.skipped > 0) logSkipped(outcome.skipped);
      return apply({ kind: "polled", sentAt, outcome });
    }
    case "read_blocks": {
      const outcome = await tokens.withToken((accessToken) =>
        platform.listBlocks({ accessToken, from: effect.from, to: effect.to }),
      );
      return apply({ kind: "blocks_read", outcome });
    }
    case "accept":
      await Promise.all(
        effect.attempts.map(async ({ attemptId, offer, payAtLeastCents }) => {
          const outcome = await tokens.withToken((accessToken) =>
            platform.acceptOffer({ accessToken, offerId: offer.offerId, attemptId, payAtLeastCents }),
          );
          await apply({ kind: "accepted", attemptId, outcome });
        }),
      );
  }
}

export function isPlatformEffect(effect: Effect): effect is PlatformEffect {
  return effect.kind === "poll" || effect.kind === "read_blocks" || effect.kind === "accept";
}
