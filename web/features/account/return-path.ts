import * as z from "zod/mini";

/** A path of this site to go back to after signing in. */
export const returnPath = z.string().check(z.regex(/^\/(?![/\\])\S*$/), z.maxLength(2_048));

/** Whether a path belongs to linking the delivery account. */
export function isSetupPath(returnPath: string): boolean {
  return /^\/flex\/(login|otp|confirmation)\b/.test(returnPath);
}
