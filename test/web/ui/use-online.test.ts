import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { useOnline } from "../../../web/ui/use-online.ts";

const Shown = () => (useOnline() ? "online" : "offline");

it("takes the device of a page that is written beforehand for one with a connection", () => {
  expect(renderToStaticMarkup(createElement(Shown))).toBe("online");
});
