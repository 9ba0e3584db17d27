import type { DurationMs } from "../../../db/shapes/units.ts";

/** A network may silently drop a third party's program, or what that loads. */
const LOADS_WITHIN_MS: DurationMs = 20_000;

/**
 * A loader of a third party's program, which loads once per page, however many callers ask for it. After a failure or a
 * time-out, which aborts the signal of `load`, the next call loads it again.
 */
export function loadOnce<Address, Loaded>(
  load: (address: Address, signal: AbortSignal) => Promise<Loaded>,
): (address: Address) => Promise<Loaded> {
  let loading: Promise<Loaded> | null = null;
  return (address) => {
    loading ??= loadInTime((signal) => load(address, signal)).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function loadInTime<Loaded>(load: (signal: AbortSignal) => Promise<Loaded>): Promise<Loaded> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("a third party's program is late")), LOADS_WITHIN_MS);
  });
  try {
    return await Promise.race([load(controller.signal), late]);
  } catch (error) {
    controller.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Adds a script to the page; the signal removes it. */
export function addScript(url: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.async = true;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error("a third party's script failed to load")));
    signal.addEventListener("abort", () => script.remove());
    document.head.append(script);
  });
}
