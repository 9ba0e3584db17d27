import { screen, waitFor } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as live from "../../../web/api/live/live.ts";
import { setupQuery } from "../../../web/api/queries/setup.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { LinkingFlow } from "../../../web/features/linking/linking-flow.tsx";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

it("leads on where the record lags behind the link", async () => {
  const network = scriptNetwork();
  network.answer({ "GET /flex/v1/user": { body: { Item: RECORD } } });
  vi.spyOn(live, "connectLive").mockReturnValue(() => undefined);
  const { cached } = await renderPart(createElement(LinkingFlow, { currentStep: "credentials" }), {
    answered: [
      [setupQuery.queryKey, { step: "linked" }],
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { productName: "Jornada" }],
    ],
  });
  const goOn = () => screen.getByRole("link", { name: "Continue" }).getAttribute("href");
  expect(goOn()).toBe("/flex/filters");
  await waitFor(() => expect(cached(userQuery.queryKey)).toEqual({ ...RECORD, proxyInstalled: true }));
  expect(goOn()).toBe("/flex/filters");
});
