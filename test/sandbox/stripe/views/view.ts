/** The version of the API that is played. */
export const API_VERSION = "2026-10-28.endive";

/** A thing as the API shows it. */
export type View = Record<string, unknown>;
