import type { ListParts, MachineEvent, PlatformCall } from "../engine/state/types.ts";
import type { AttemptId, EpochMs } from "../../db/shapes/units.ts";
import type { Platform } from "../platform/client.ts";
import type { PlatformAccount } from "./platform-account.ts";

/** A call's needs from the object. */
type CallContext = {
  platform: Platform;
  account: PlatformAccount;
  now: () => EpochMs;
  /** Whether an accept may leave now, by the state of this moment. */
  maySend: (attemptId: AttemptId) => boolean;
};

/** Makes a call and emits an event for each outcome as it arrives. Never throws. */
export async function performCall(
  call: PlatformCall,
  emit: (event: MachineEvent) => void,
  { platform, account, now, maySend }: CallContext,
): Promise<void> {
  switch (call.kind) {
    case "poll": {
      const startedAt = now();
      let calls: EpochMs[] = [];
      const onCall = () => {
        calls.push(now());
      };
      const { warehouseIds, etag, maxCalls, parts } = call;
      let nextParts: ListParts | null | undefined;
      const onParts = (next: ListParts | null) => {
        nextParts = next;
      };
      const outcome = await account.request((accessToken) => {
        // A token may have been refreshed first, or the calls made in vain under an old one.
        calls = [];
        return platform.listOffers({ accessToken, warehouseIds, etag, maxCalls, parts, onCall, onParts });
      }, "poll");
      const [sentAt = startedAt, ...partsSentAt] = calls;
      return emit({
        kind: "polled",
        sentAt,
        ...(partsSentAt.length > 0 && { partsSentAt }),
        ...(nextParts !== undefined && { parts: nextParts }),
        outcome,
      });
    }
    case "read_blocks": {
      const outcome = await account.request(
        (accessToken) => platform.listBlocks({ accessToken, from: call.from, to: call.to }),
        "blocks",
      );
      return emit({ kind: "blocks_read", outcome });
    }
    case "check_verification": {
      const result = await account.request((accessToken) => platform.readDriver({ accessToken }));
      if (result.kind !== "driver") return emit({ kind: "verification_checked", outcome: result });
      const { required } = result.driver.verification;
      return emit({ kind: "verification_checked", outcome: { kind: "verification", required } });
    }
    case "accept":
      await Promise.all(
        call.attempts.map(async ({ attemptId, offer, payAtLeastCents }) => {
          const outcome = await account.request(
            async (accessToken) =>
              // A token may have been refreshed since the engine decided; what holds now decides.
              maySend(attemptId)
                ? platform.acceptOffer({ accessToken, offerId: offer.offerId, attemptId, payAtLeastCents })
                : { kind: "withdrawn" as const },
            "accept",
          );
          emit({ kind: "accepted", attemptId, outcome });
        }),
      );
  }
}
