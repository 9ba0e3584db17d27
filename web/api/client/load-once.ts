import type { DurationMs } from "../../../db/shapes/units.ts";

/** A network may swallow the program of a third party, or what that loads, without a word. */
const LOADS_WITHIN_MS: DurationMs = 20_000;

/**
 * A loader of a third party's program, which is loaded once a page, however many ask for it; where that failed or took too
 * long, again by the next call. The signal of `load` aborts then.
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
