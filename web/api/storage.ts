import * as z from "zod/mini";

/** Reads what was kept on the device; null where there is nothing, or nothing that this build can read. */
export function loadStored<Shape extends z.ZodMiniType>(shape: Shape, name: string): z.output<Shape> | null {
  try {
    const text = localStorage.getItem(name);
    const parsed = text === null ? null : z.safeParse(shape, JSON.parse(text));
    return parsed?.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export function saveStored(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage may be full or closed to us; then nothing is known the next time.
  }
}

/** Removes everything whose name begins so. */
export function removeStored(prefix: string): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name);
  } catch {
    // Storage that is closed to us holds nothing of ours.
  }
}
