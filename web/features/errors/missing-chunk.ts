const STORAGE_KEY = "jornada.reloaded-for";
const missing = new WeakSet<Error>();

/**
 * Notes that an error is that of code that couldn't be fetched. Its message changes, since by that the router would reload the
 * page itself, even without a network to reload it from.
 */
export function markMissingChunk(error: Error): void {
  error.message = `Code is missing: ${error.message}`;
  missing.add(error);
}

/** Whether a screen failed because its code couldn't be fetched: without a network, or without a server. */
export function isMissingChunk(error: unknown): error is Error {
  return error instanceof Error && missing.has(error);
}

/**
 * Whether the page was already reloaded for this chunk, which it then counts as. Without storage, yes: it could reload
 * forever.
 */
export function hasReloadedFor(message: string): boolean {
  try {
    const previous = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.setItem(STORAGE_KEY, message);
    return previous === message;
  } catch {
    return true;
  }
}
