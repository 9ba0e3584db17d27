import { nextId } from "../ids.ts";
import { Refusal } from "../problem.ts";
import type { AcceptAnswer, Block, Driver, EpochMs, Offer, State } from "../state.ts";
import { findWarehouse } from "./cities.ts";
import { openOffers, payOf } from "./offers.ts";
import { blockView } from "./views.ts";

const KEY_LIVES_MS = 24 * 60 * 60 * 1000;

export type AcceptRequest = { driver: Driver; offerId: string; key: string; payAtLeast: number };

/** Accepts the offer, or replays the response to this idempotency key. @throws {Refusal} with the reason. */
export function acceptOffer(state: State, request: AcceptRequest, now: EpochMs): AcceptAnswer {
  const id = `${request.driver.driverId} ${request.key}`;
  const first = state.answers.get(id);
  if (first && now - first.at < KEY_LIVES_MS) {
    if (first.offerId === request.offerId) return first;
    throw new Refusal(400, "invalid_request", { detail: "The key was used for another offer." });
  }
  const answer: AcceptAnswer = { offerId: request.offerId, at: now, ...decide(state, request, now) };
  state.answers.set(id, answer);
  return answer;
}

function decide(state: State, request: AcceptRequest, now: EpochMs): Pick<AcceptAnswer, "status" | "body"> {
  const { driver, offerId, payAtLeast } = request;
  const held = heldBlocks(state, driver.driverId);
  const refuse = (
    code: "offer_gone" | "already_yours" | "pay_changed" | "overlap" | "weekly_limit",
    block?: Block,
  ) => ({
    status: 409 as const,
    body: new Refusal(409, code, block && { block: blockView(block, now) }).body,
  });

  const own = held.find((block) => block.offerId === offerId);
  if (own) return refuse("already_yours", own);
  const offer = openOffers(state, driver.regionId, now).find((candidate) => candidate.offerId === offerId);
  if (!offer) return refuse("offer_gone");
  const payCents = payOf(offer, now);
  if (payCents < payAtLeast) return refuse("pay_changed");
  if (held.some((block) => block.startsAt < offer.endsAt && offer.startsAt < block.endsAt))
    return refuse("overlap");
  if (exceedsWeek(held, offer, state.settings.get().weeklyLimitMinutes)) return refuse("weekly_limit");

  state.offers.delete(offerId);
  return { status: 200, body: blockView(takeBlock(state, driver, { ...offer, payCents }, now), now) };
}

/** Creates the driver's block from an offer, without any checks. */
export function takeBlock(
  state: State,
  driver: Driver,
  work: Pick<Offer, "offerId" | "warehouseId" | "serviceType" | "startsAt" | "endsAt" | "payCents">,
  now: EpochMs,
): Block {
  const { offerId, warehouseId, serviceType, startsAt, endsAt, payCents } = work;
  const block: Block = {
    blockId: nextId(state, "blk"),
    driverId: driver.driverId,
    offerId,
    warehouseId,
    serviceType,
    startsAt,
    endsAt,
    payCents,
    acceptedAt: now,
    checkedInAt: null,
    forfeitedAt: null,
  };
  state.blocks.set(block.blockId, block);
  return block;
}

function heldBlocks(state: State, driverId: string): Block[] {
  return state.blocks.values().filter((block) => block.driverId === driverId && block.forfeitedAt === null);
}

/** The week of an instant, Monday to Sunday in the warehouse's time zone. A block counts in the week of its start. */
function exceedsWeek(held: Block[], offer: Offer, limitMinutes: number): boolean {
  const timeZone = findWarehouse(offer.warehouseId)?.timeZone ?? "UTC";
  const week = weekOf(offer.startsAt, timeZone);
  const spans = [offer, ...held.filter((block) => weekOf(block.startsAt, timeZone) === week)];
  return spans.reduce((sum, { startsAt, endsAt }) => sum + (endsAt - startsAt) / 60_000, 0) > limitMinutes;
}

function weekOf(at: EpochMs, timeZone: string): number {
  const date = new Intl.DateTimeFormat("en-CA", { timeZone }).format(at);
  const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000;
  // Day 0 was a Thursday.
  return Math.floor((day + 3) / 7);
}
