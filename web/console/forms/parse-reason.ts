const SHORTEST_REASON = 3;

/** The reason that was typed; null if it is too short to be one. */
export function parseReason(typed: string): string | null {
  const reason = typed.trim();
  return reason.length < SHORTEST_REASON ? null : reason;
}
