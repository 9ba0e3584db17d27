import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setPageSession } from "../../support/page-session.ts";
import { draftStore, saveDraft, restoreDraft } from "../../../web/features/filters/draft-store.ts";
import { toDraft } from "../../../web/features/filters/draft.ts";
import { permissiveFilters } from "../../support/sandbox-client.ts";
import { createBrowserHarness } from "../../support/browser-harness.ts";

afterEach(() => void vi.unstubAllGlobals());

beforeEach(() => void createBrowserHarness());

it("shows a draft to the driver who made it, also after signing out and in, and to no other", () => {
  const kept = { version: 3, base: permissiveFilters([]), draft: toDraft(permissiveFilters([]), []) };
  setPageSession("ana");
  saveDraft(kept);
  setPageSession(null);
  expect(draftStore.get()).toBeNull();
  setPageSession("bia");
  restoreDraft();
  expect(draftStore.get()).toBeNull();
  setPageSession("ana");
  restoreDraft();
  expect(draftStore.get()).toEqual(kept);
});
