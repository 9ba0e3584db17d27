import { HOUR, START } from "../sandbox-harness.ts";

/** A span around the world's start. */
export const wide = {
  from: new Date(START - 24 * HOUR).toISOString(),
  to: new Date(START + 60 * 24 * HOUR).toISOString(),
};
/** A check-in from a place. */
export const arrivedAt = (position: { latitude: number; longitude: number }) => ({
  ...position,
  accuracyMeters: 12,
  observedAt: new Date(START).toISOString(),
});
export const repeated = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);
/** The text of a refusal. */
export const problem = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body.code,
];
