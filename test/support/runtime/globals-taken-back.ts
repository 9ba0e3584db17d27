import { afterAll, vi } from "vitest";

// Files of a suite share their globals: a stub that one leaves is there while the next file's modules load.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
