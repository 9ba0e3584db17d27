/** The simulated API version. */
export const API_VERSION = "2026-10-28.endive";

/** An object as the API represents it. */
export type View = Record<string, unknown>;
