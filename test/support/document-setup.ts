import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// As long as `expect.poll`: a busy machine needs more than the library's second.
configure({ asyncUtilTimeout: 30_000 });

// happy-dom leaves out the rows of a table's body.
Object.defineProperty(HTMLTableSectionElement.prototype, "rows", {
  configurable: true,
  get(this: HTMLTableSectionElement) {
    return this.children;
  },
});

// Files of this suite share a process: a test leaves neither its screen, its address, what it stored,
// nor its network to the next one.
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  history.replaceState(null, "", "/");
});
