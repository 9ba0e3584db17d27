import type { JWTVerifyGetKey } from "jose";

/**
 * The keys that id tokens are verified with. `outdated`: those that have to be read again before they count, if so; what a
 * token begins with can be read beside them.
 */
export type TokenKeys = JWTVerifyGetKey & { outdated?: () => JWTVerifyGetKey | null };
