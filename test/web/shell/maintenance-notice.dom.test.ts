import { useSelector } from "@tanstack/react-store";
import { screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { maintenanceStore } from "../../../web/api/client/maintenance.ts";
import { plansQuery } from "../../../web/api/queries/payments.ts";
import { parseRequestError } from "../../../web/api/client/request-error.ts";
import { HEALTH_PATH, request } from "../../../web/api/client/request.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { MaintenanceNotice } from "../../../web/features/shell/maintenance-notice.tsx";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => maintenanceStore.setState(() => null));

/** The notice, for as long as the server is closed. */
function Shown() {
  const maintenance = useSelector(maintenanceStore);
  return maintenance && createElement(MaintenanceNotice, maintenance);
}

it("stands from a refusal for maintenance until a call succeeds, after which the screen asks for all anew", async () => {
  const { answer } = scriptNetwork();
  const call = `GET ${HEALTH_PATH}`;
  answer({ [call]: [refusalReply("maintenance"), refusalReply("internal"), { body: {} }] });
  const { isStale } = await renderPart(createElement(Shown), {
    answered: [[plansQuery.queryKey, { plans: [] }]],
  });
  const notice = () => screen.queryByText(/We're doing maintenance\./u) !== null;
  expect(notice()).toBe(false);
  await parseRequestError(await request(HEALTH_PATH));
  await expect.poll(notice).toBe(true);
  await parseRequestError(await request(HEALTH_PATH));
  expect([notice(), isStale(plansQuery.queryKey)]).toEqual([true, false]);
  await request(HEALTH_PATH);
  await expect.poll(notice).toBe(false);
  expect(isStale(plansQuery.queryKey)).toBe(true);
});
