import type { DriverOwner } from "../../../db/shapes/profile.ts";
import type { ResentText } from "../../../db/shapes/text-delivery.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../deps.ts";
import type { DriverState } from "../../engine/state/types.ts";
import { isLinked } from "../../engine/link.ts";
import type { TextAbout } from "../storage/text-about.ts";
import type { Store } from "../storage/store.ts";
import { textMessageFor } from "./notification-messages.ts";
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

/**
 * Whether what a text asks of the driver, or tells of the present, still holds: one that is sent again later must not ask for
 * what is done. Events of the past stay true.
 */
export function isStillTrue(about: TextAbout, state: DriverState, now: EpochMs): boolean {
  const { phase } = state;
  const possible = possibleNow({ phase, isLinked: isLinked(state) }, now);
  switch (about.kind) {
    case "needs_link":
      return possible.mustLink;
    case "verification_required":
      return possible.checkInObstacle?.kind === "verification_required";
    case "no_service":
      return about.waitingForSpot ? phase.kind === "no_service" && phase.waitingForSpot : possible.mustPay;
    case "service_ending":
      return about.endsAt > now && about.endsAt === state.profile?.serviceUntil;
    case "asked":
      return state.questions.some(
        ({ questionId, state: { status }, closesAt }) =>
          questionId === about.question.questionId && status === "waiting" && closesAt > now,
      );
    case "unreadable":
      return phase.kind === "unreadable";
    case "give_back_ahead":
      return about.until > now && state.held.some(isStillHeld(about.block));
    case "before_shift":
      return about.startsAt > now;
    case "weekly_limit":
    case "long_wait":
      return about.until > now;
    case "news":
      return about.news.until === null || about.news.until > now;
    case "captured":
    case "probably_captured":
    case "week":
    case "lost_day":
    case "service_changed":
    case "silence_suspected":
    case "digest":
      return true;
  }
}

/** Whether it is the block of a reminder, which was neither given back nor moved since. */
function isStillHeld({ blockId, startsAt }: Block): (held: Block) => boolean {
  return (held) => held.blockId === blockId && held.startsAt === startsAt && held.status === "scheduled";
}
