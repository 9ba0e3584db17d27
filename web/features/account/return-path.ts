/** A path of this site to go back to after signing in; `undefined` for anything else. */
export function parseReturnPath(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value)) return undefined;
  return value;
}

/** Whether a path belongs to linking the delivery account. */
export function isSetupPath(returnPath: string): boolean {
  return /^\/flex\/(login|otp|confirmation)\b/.test(returnPath);
}
