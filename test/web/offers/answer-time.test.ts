import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import { AnswerTime } from "../../../web/features/dashboard/pulse.tsx";
import { m } from "../../../web/messages/messages.js";

it("has the room of its longest text in every second, so that the line never breaks anew", () => {
  const html = renderToStaticMarkup(createElement(AnswerTime, { isWaiting: false, retryAt: null }));
  expect(html.replaceAll(/\s/gu, " ")).toContain(
    '<span aria-hidden="true" class="invisible">Checked 59 sec. ago</span><span>Not checked yet</span>',
  );
});

it.each(LANGUAGES)("is no longer just after an answer than later, in %s", (locale) => {
  const ago = new Intl.RelativeTimeFormat(locale, { style: "short" }).format(-59, "second");
  expect(m.pulse_now({}, { locale }).length).toBeLessThanOrEqual(m.pulse_ago({ ago }, { locale }).length);
});
