import type { Phase } from "../../../db/shapes/work/phase.ts";

/** Keeps free the height of the link to the platform's status, the least that will appear. */
export function OthersRoom({ phase }: { phase: Phase }) {
  return leadsToHealth(phase) ? <div className="min-h-11" /> : null;
}

/** Whether a driver asks themselves if others have it, too. Not while the system looks, or rests as they want it. */
export function asksForOthers({ kind }: Phase): boolean {
  return kind !== "polling" && kind !== "asleep" && kind !== "limit_reached";
}

/** Whether the platform's status may be why, even where nobody can tell. */
export function leadsToHealth({ kind }: Phase): boolean {
  return kind !== "off" && kind !== "no_service";
}
