import { act, screen } from "@testing-library/react";
import { createElement } from "react";
import { expect, it } from "vitest";
import { meQuery } from "../../../web/console/calls/acts.ts";
import { citiesQuery } from "../../../web/console/calls/deployment.ts";
import { ConsoleShell } from "../../../web/console/shell.tsx";
import type { MeResponse } from "../../../worker/contract/console/operators.ts";
import { OWNER, SUPPORT } from "../../support/console-part.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

const CITIES = { cities: [{ city: "Austin", spots: 5, taken: 3, waiting: 0, next: null }] };

/** The console at its cities, as a tab that an owner left open. */
async function openTab() {
  window.history.replaceState(null, "", "/ops/cities");
  const network = scriptNetwork();
  const answered: [readonly unknown[], unknown][] = [
    [meQuery.queryKey, OWNER],
    [citiesQuery.queryKey, CITIES],
  ];
  network.answer({ "GET /ops/v1/cities": { body: CITIES } });
  const part = await renderPart(createElement(ConsoleShell), { answered });
  const comeBack = async (me: { body: MeResponse } | ReturnType<typeof refusalReply>) => {
    network.answer({ "GET /ops/v1/me": me });
    await act(() => part.refetch(meQuery.queryKey));
  };
  return { comeBack, alert: () => screen.queryByRole("alert")?.textContent };
}

it("says over what an open tab still shows that its session or its operator's right has ended", async () => {
  const { comeBack, alert } = await openTab();
  await screen.findByText("Austin");
  expect(alert()).toBeUndefined();
  await comeBack(refusalReply("unauthenticated"));
  await expect.poll(alert).toMatch(/^Your session at Cloudflare Access has ended/);
  expect(screen.queryByText("Austin")).not.toBeNull();
  await comeBack(refusalReply("forbidden"));
  await expect.poll(alert).toMatch(/^You are not among this console's operators/);
  await comeBack({ body: OWNER });
  await expect.poll(alert).toBeUndefined();
});

it("takes an owner's acts away from an open tab once the operator is one of support", async () => {
  const { comeBack } = await openTab();
  await screen.findByRole("button", { name: "Change the number" });
  await comeBack({ body: SUPPORT });
  await expect.poll(() => screen.queryByRole("button", { name: "Change the number" })).toBeNull();
});
