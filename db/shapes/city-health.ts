import * as z from "zod/mini";
import { readsAs, readShape } from "./tolerant.ts";

/**
 * How the platform treats the drivers of a city. `slow`: many wait or get no answer. `down`: hardly anybody gets one.
 * `unknown`: too few drivers are at work to tell.
 */
export const CITY_STATES = ["working", "slow", "down", "unknown"] as const;
export const cityState = readsAs(z.enum(CITY_STATES), "unknown");
export type CityState = z.infer<typeof cityState>;

/** The states of a driver's object that many drivers of a city may be in at once, for one cause. */
export const SHARED_STATES = [
  "throttled",
  "quota_used_up",
  "unreachable",
  "unreadable",
  "blocks_unreadable",
  "signed_out",
  "verification_required",
] as const;
export const sharedState = z.enum(SHARED_STATES);
export type SharedState = z.infer<typeof sharedState>;

/** Reads stored states; those of a later release are left out. */
export function readSharedStates(stored: unknown): SharedState[] {
  return Array.isArray(stored) ? readShape(z.array(sharedState), stored) : [];
}

/** The platform's health in a city at present, as its drivers' objects report it. */
export type CityHealth = {
  state: CityState;
  /** Whether the cause is ours: objects that did not wake. */
  isOurs: boolean;
  /** The states that most drivers at work are in. */
  shared: readonly SharedState[];
};
