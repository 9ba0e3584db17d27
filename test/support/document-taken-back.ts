import { cleanup } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// Files of this suite share a process: a test leaves neither its screen, what it stored, nor its network to the next one.
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});
