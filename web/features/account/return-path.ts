/** A path of this site to go back to after signing in; anything else is left out. */
export function parseReturnPath(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value)) return undefined;
  return value;
}

/** Whether somebody came from setting up their account. */
export function isSetupPath(returnPath: string): boolean {
  return /^\/flex\/(login|otp|confirmation)\b/.test(returnPath);
}
