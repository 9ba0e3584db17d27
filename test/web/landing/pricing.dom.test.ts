import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { Pricing } from "../../../web/features/landing/pricing.tsx";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));

it("shows neither a price nor that one is on its way where the server doesn't know them, and says so", async () => {
  scriptNetwork().answer({ "GET /status/plans": refusalReply("not_found"), "GET /status/spots": "lost" });
  const { html } = await renderPart(createElement(Pricing));
  await screen.findByText("We can't show the prices right now. You see yours before you pay.");
  expect(document.querySelector("[data-skeleton]")).toBeNull();
  expect(textsIn(html()).join(" ")).not.toMatch(/\$\d/);
});
