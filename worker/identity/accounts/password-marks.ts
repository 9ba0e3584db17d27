import type { PoolUser } from "../../../db/queries/identity/pool-users.ts";
import type { PoolContext } from "../pool-context.ts";
import { openVerifier, type MarkedVerifier } from "./verifiers.ts";

/** The first letter of a mark. */
const KEEPS_BROWSERS = "k";
const BEFORE_MARKS = "b";

/** All marks are as long, so that no secret block is shorter than another, or than a decoy's. */
const SALT_DIGITS = 32;

/** Tells one password from another that was set later, whichever key seals it. */
export function markOfPassword({
  salt,
  keepsBrowsers,
}: Pick<MarkedVerifier, "salt" | "keepsBrowsers">): string {
  const letter = keepsBrowsers ? KEEPS_BROWSERS : BEFORE_MARKS;
  return `${letter}${salt.toString(16).padStart(SALT_DIGITS, "0")}`;
}

/** The same for a password as it is stored; empty if the master key that sealed it was removed. */
export async function markOfStored(
  pool: PoolContext,
  { id, password }: Pick<PoolUser, "id" | "password">,
): Promise<string> {
  const verifier = await openVerifier(pool, id, password);
  return verifier ? markOfPassword(verifier) : "";
}

/** Whether a mark is of a password that was set before browsers kept marks: which of them it was proved in is unknown. */
export function isBeforeMarks(mark: string): boolean {
  return mark.startsWith(BEFORE_MARKS);
}
