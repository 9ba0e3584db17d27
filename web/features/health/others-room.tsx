import type { Phase } from "../../../db/shapes/work/phase.ts";
import { leadsToHealth } from "./asks-for-others.ts";

/** Keeps free the height of the link to the platform's status, the least that will appear. */
export function OthersRoom({ phase }: { phase: Phase }) {
  return leadsToHealth(phase) ? <div className="min-h-11" /> : null;
}
