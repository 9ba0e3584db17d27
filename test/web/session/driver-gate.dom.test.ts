import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
  useRouter,
} from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { configQuery, statusQuery, userQuery } from "../../../web/api/queries/user.ts";
import { localAuthError } from "../../../web/api/session/auth-error.ts";
import { restoreSession, sessionStore } from "../../../web/api/session/session.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import {
  DriverGate,
  DriverGateError,
  DriverGatePending,
} from "../../../web/features/session/driver-gate.tsx";
import { MissingRecordError } from "../../../web/features/session/driver-guard.ts";
import type { Answered } from "../../support/console-part.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, scriptNetwork, storeSession, token } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  sessionStore.setState(() => undefined);
  scriptNetwork();
});

/** Somebody signs in on this device. */
function signIn() {
  storeSession(localStorage, { idToken: token("id", {}) });
  restoreSession(IDENTITY, Date.now());
}

/** The gate for somebody whose record is what is cached; undefined where none has come yet. */
async function openGate(part: "screens" | Error, record?: typeof RECORD | null) {
  signIn();
  const invalidate = vi.fn(async () => undefined);
  const Part = () => {
    useRouter().invalidate = invalidate;
    return part === "screens"
      ? createElement(DriverGate, null, "the screens")
      : createElement(DriverGateError, { error: part, reset: () => {} });
  };
  const answered: Answered[] = [
    [configQuery.queryKey, {}],
    [statusQuery.queryKey, {}],
  ];
  if (record !== undefined) answered.push([userQuery.queryKey, record]);
  return { ...(await renderPart(createElement(Part), { answered })), invalidate };
}

it("opens for a driver with a record", async () => {
  const { html } = await openGate("screens", RECORD);
  expect(html()).toBe("the screens");
});

it("says after a moment that the record is loading", async () => {
  const { html } = await openGate("screens");
  expect(html()).toBe("");
  expect((await screen.findByRole("status")).textContent).toBe("Loading…");
});

it("shows a driver the outline of the screen that is loading", async () => {
  signIn();
  const root = createRootRoute();
  const flex = createRoute({ getParentRoute: () => root, path: "/flex" });
  const pendingComponent = () => "its outline";
  const own = createRoute({ getParentRoute: () => flex, path: "/own", pendingComponent });
  const routeTree = root.addChildren([flex.addChildren([own])]);
  const router = createRouter({
    routeTree,
    history: createMemoryHistory({ initialEntries: ["/flex/own"] }),
  });
  await router.load();
  const children = createElement(DriverGatePending);
  // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
  const withRouter = createElement(RouterContextProvider, { router, children });
  const { html } = await renderPart(withRouter, { answered: [[userQuery.queryKey, RECORD]] });
  expect(html()).toBe("its outline");
});

it("says which call failed, and of any other error that something went wrong", async () => {
  const headingOf = async (error: Error) => {
    const { unmount } = await openGate(error, null);
    const { textContent } = await screen.findByRole("heading");
    unmount();
    return textContent;
  };
  expect(await headingOf(localAuthError("UserNotFetched"))).toBe("Failed to fetch user data");
  expect(await headingOf(localAuthError("StatusNotFetched"))).toBe("Failed to fetch status");
  expect(await headingOf(new Error("broken"))).toBe("Something went wrong");
});

it("asks for the last step where the record is missing, until there is one", async () => {
  const { invalidate, arrives } = await openGate(new MissingRecordError(), null);
  await screen.findByRole("button", { name: "Finish my account" });
  expect(invalidate).not.toHaveBeenCalled();
  arrives(userQuery.queryKey, RECORD);
  await expect.poll(() => invalidate.mock.calls.length).toBe(1);
});
