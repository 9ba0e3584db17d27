import { beforeEach, expect, it } from "vitest";
import { sessionStore, type AuthUser } from "../../web/api/session.ts";
import { draftStore, saveDraft, restoreDraft } from "../../web/features/filters/draft-store.ts";
import { toDraft } from "../../web/features/filters/draft.ts";
import { permissiveFilters } from "../support/sandbox-client.ts";
import { createBrowserHarness } from "../support/browser-harness.ts";

beforeEach(() => void createBrowserHarness());

const enter = (username: string | null) =>
  sessionStore.setState((): AuthUser | null =>
    username === null
      ? null
      : {
          username,
          phoneNumber: null,
          phoneNumberVerified: false,
          accessToken: "access",
          idToken: "id",
          idTokenExp: 0,
          refreshToken: null,
        },
  );

it("shows a draft to the driver who made it, also after signing out and in, and to no other", () => {
  const kept = { version: 3, base: permissiveFilters([]), draft: toDraft(permissiveFilters([]), []) };
  enter("ana");
  saveDraft(kept);
  enter(null);
  expect(draftStore.get()).toBeNull();
  enter("bia");
  restoreDraft();
  expect(draftStore.get()).toBeNull();
  enter("ana");
  restoreDraft();
  expect(draftStore.get()).toEqual(kept);
});
