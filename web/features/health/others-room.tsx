import type { Phase } from "../../../db/shapes/work/phase.ts";
import { leadsToHealth } from "./asks-for-others.ts";

/** As tall as the way to the platform's status, the least of what will be there. */
export function OthersRoom({ phase }: { phase: Phase }) {
  return leadsToHealth(phase) ? <div className="min-h-11" /> : null;
}
