import { beforeEach, expect, it } from "vitest";
import { sessionStore, type AuthUser } from "../../web/api/session.ts";
import { draftStore, keepDraft, restoreDraft } from "../../web/features/filters/draft-store.ts";
import { toDraft } from "../../web/features/filters/draft.ts";
import { easyFilters } from "../support/demo.ts";
import { openPageStage } from "../support/page-stage.ts";

beforeEach(() => void openPageStage());

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
  const kept = { version: 3, base: easyFilters([]), draft: toDraft(easyFilters([]), []) };
  enter("ana");
  keepDraft(kept);
  enter(null);
  expect(draftStore.get()).toBeNull();
  enter("bia");
  restoreDraft();
  expect(draftStore.get()).toBeNull();
  enter("ana");
  restoreDraft();
  expect(draftStore.get()).toEqual(kept);
});
