import { screen } from "@testing-library/react";
import { RECORD } from "../../support/driver-record.ts";
import { scriptNetwork, SRP_CHALLENGE, tokenResponse } from "../../support/scripted-network.ts";
import { sessionStore } from "../../../web/api/session/session.ts";

/** The network of somebody whose password is right and whose record is there. */
export function scriptEntry() {
  const scripted = scriptNetwork();
  scripted.answer({
    InitiateAuth: SRP_CHALLENGE,
    RespondToAuthChallenge: tokenResponse(),
    Refresh: tokenResponse(),
    "GET /flex/v1/user": { body: { Item: RECORD } },
    "POST /flex/v1/user": { body: { Item: RECORD } },
  });
  return {
    ...scripted,
    /** The bodies of an operation's calls. */
    sent: (operation: string) =>
      scripted.calls.filter((call) => call.operation === operation).map(({ body }) => body),
  };
}

export const isSignedIn = () => Boolean(sessionStore.get());

export const fieldAt = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

/** The words beneath a field. */
export function errorAt(label: string): string {
  const ids = fieldAt(label).getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.map((id) => document.querySelector(`[id="${id}"]`)?.textContent ?? "").join(" ");
}

export const alertText = async () => (await screen.findByRole("alert")).textContent;
