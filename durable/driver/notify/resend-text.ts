import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { ResentText } from "../../../db/shapes/text-delivery.ts";
import type { Deps } from "../../deps.ts";
import type { DriverState } from "../../engine/state/types.ts";
import { textMessageFor } from "./notification-messages.ts";
import { isStillTrue } from "./still-true.ts";
import type { TextAbout } from "../storage/text-about.ts";
import type { Store } from "../storage/store.ts";
import { digestText } from "./text-day.ts";

type ResendContext = { owner: DriverOwner; state: DriverState; store: Store; deps: Deps };

/**
 * Sends a text again that did not arrive: what it was about, in words of this moment, in the driver's language. It ends the
 * pause of its number if it goes through, and counts like the tests that a driver sends. Never throws.
 */
export async function resendText(
  { id, to }: { id: string; to: string },
  { owner, state, store, deps }: ResendContext,
): Promise<ResentText> {
  const now = deps.now();
  const about = store.sentTexts.find(id, now);
  if (about === null) return "not_kept";
  if (!isStillTrue(about, state, now)) return "over";
  const body = textBodyOf(about, { owner, state, deps });
  const nextId = crypto.randomUUID();
  store.sentTexts.add(nextId, about, now);
  return deps.texts.sendTest({ to, body, account: owner.driverId, id: nextId });
}

function textBodyOf(about: TextAbout, { owner, state, deps }: Omit<ResendContext, "store">): string {
  const { language, timeZone } = owner;
  const { productName, publicUrl } = deps.config;
  if (about.kind === "digest") return digestText(about.held, { language, productName, publicUrl });
  return textMessageFor(about, { language, timeZone, now: deps.now(), state, productName, publicUrl });
}
