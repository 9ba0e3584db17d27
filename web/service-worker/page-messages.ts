/** Sent by a page to its service worker. */
export type PageMessage =
  /** Activate now, without waiting for other pages to close: this one is about to reload. */
  { kind: "take_over" } | { kind: "loaded"; urls: readonly string[] };

/** Sent by the service worker to a page. */
export type WorkerMessage =
  /** A notification was tapped. */
  { kind: "open"; url: string } | { kind: "resubscribed" };
