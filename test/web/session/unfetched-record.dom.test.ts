import { render, screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeEach, describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { localAuthError } from "../../../web/api/session/auth-error.ts";
import { restoreSession, sessionStore } from "../../../web/api/session/session.ts";
import { DriverGateError } from "../../../web/features/session/driver-gate.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { IDENTITY, refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { surround } from "../../support/surrounded-part.ts";

beforeEach(() => sessionStore.setState(() => undefined));

/** Shows the page's words in place of a screen whose driver's record couldn't be fetched. */
async function openGate(
  language: Language,
  answers: Parameters<ReturnType<typeof scriptNetwork>["answer"]>[0],
) {
  await changeLocale(language);
  storeSession(localStorage);
  restoreSession(IDENTITY, Date.now());
  scriptNetwork().answer(answers);
  const error = localAuthError("UserNotFetched");
  const { surrounded, queryClient } = await surround(
    createElement(DriverGateError, { error, reset: () => {} }),
  );
  await queryClient.prefetchQuery({ ...userQuery, retry: false });
  render(surrounded);
}

describe.each(LANGUAGES)("a record that can't be fetched, in %s", (language) => {
  const unreached = { en: "couldn't reach", es: "No pudimos conectarnos", pt: "conectar ao servidor" }[
    language
  ];

  it("is the server's fault where that answered, with the reference of the answer", async () => {
    await openGate(language, { "GET /flex/v1/user": refusalReply("internal") });
    const alert = screen.getByRole("alert").textContent;
    expect(alert).toContain("r1");
    expect(alert).not.toContain(unreached);
  });

  it("is the connection's where nothing answered", async () => {
    await openGate(language, { "GET /flex/v1/user": "lost" });
    expect(screen.getByRole("alert").textContent).toContain(unreached);
  });
});
