/** Sent by a page to its service worker. */
export type PageMessage =
  /** Activate now, without waiting for other pages to close: this one is about to reload. */
  { kind: "take_over" } | { kind: "loaded"; urls: readonly string[] };

/** Sent by the service worker to a page. */
export type WorkerMessage =
  /** A notification was tapped. */
  { kind: "open"; url: string } | { kind: "resubscribed" };

/** Null for what only another build of the page sends. */
export function parsePageMessage(data: unknown): PageMessage | null {
  const { kind, urls } = fieldsOf(data);
  if (kind === "take_over") return { kind };
  if (kind !== "loaded" || !Array.isArray(urls)) return null;
  return { kind, urls: urls.filter((url) => typeof url === "string") };
}

/** Null for what only another build of the service worker sends. */
export function parseWorkerMessage(data: unknown): WorkerMessage | null {
  const { kind, url } = fieldsOf(data);
  if (kind === "resubscribed") return { kind };
  return kind === "open" && typeof url === "string" ? { kind, url } : null;
}

function fieldsOf(data: unknown): Record<string, unknown> {
  return typeof data === "object" && data !== null ? { ...data } : {};
}
