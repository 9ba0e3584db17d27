/** A path of this site to go back to after signing in; anything else is left out. */
export function readBack(given: unknown): string | undefined {
  if (typeof given !== "string" || !/^\/(?![/\\])/.test(given)) return undefined;
  return given;
}

/** Whether somebody came from setting up their account. */
export function isForSetup(back: string): boolean {
  return /^\/flex\/(login|otp|confirmation)\b/.test(back);
}
