/** What a page says to its service worker. */
export type PageMessage =
  /** Don't wait for other pages to close: this one is about to load anew. */
  { kind: "take_over" } | { kind: "loaded"; urls: readonly string[] };

/** What the service worker says to a page. */
export type WorkerMessage =
  /** A notification was tapped. */
  { kind: "open"; url: string } | { kind: "resubscribed" };
