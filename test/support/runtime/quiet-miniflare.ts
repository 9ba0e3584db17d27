/** Keeps Miniflare, in whichever program starts it from here, to what tests measure and judge. */
export function quietMiniflare(): void {
  // No request for the machine's location: tests make no outside requests.
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  // No stored trace of each call, which costs about as much as the call itself.
  process.env["X_LOCAL_OBSERVABILITY"] = "false";
}
