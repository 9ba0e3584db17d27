import { Hono } from "hono";
import { html } from "hono/html";
import type { Driver, Stage, State } from "../state.ts";

/** Requires a selfie from the driver, or no longer does. */
export function requireSelfie(state: State, driver: Driver, required: boolean): void {
  state.drivers.set(driver.driverId, { ...driver, selfieSecret: required ? crypto.randomUUID() : null });
}

/** The page on which the driver takes the required selfie; null if none is required. */
export function selfieUrl(state: State, driver: Driver, requestUrl: string): string | null {
  if (driver.selfieSecret === null) return null;
  const url = new URL("/selfie", state.settings.get().selfie.origin ?? requestUrl);
  url.searchParams.set("driver", driver.driverId);
  url.searchParams.set("key", driver.selfieSecret);
  return url.href;
}

export function selfieRoutes({ state }: Stage) {
  const whose = (driverId = "", key = "") => {
    const driver = state.drivers.get(driverId);
    return driver && driver.selfieSecret !== null && driver.selfieSecret === key ? driver : null;
  };
  return new Hono()
    .get("/selfie", (c) => {
      const { driver, key } = c.req.query();
      return c.html(whose(driver, key) ? page(asked()) : page(nothingAsked()));
    })
    .post("/selfie", (c) => {
      const { driver: driverId, key } = c.req.query();
      const driver = whose(driverId, key);
      if (driver) requireSelfie(state, driver, false);
      return c.html(page(driver ? taken() : nothingAsked()));
    });
}

const asked = () =>
  html`<h1>Take a selfie</h1>
    <p>The delivery platform wants to see that it is you. In the sandbox a tap is enough.</p>
    <form method="post"><button>Take the selfie</button></form>`;
const taken = () =>
  html`<h1>Thank you</h1>
    <p>You are verified. You can close this page.</p>`;
const nothingAsked = () =>
  html`<h1>Nothing to do</h1>
    <p>No selfie is asked of you now.</p>`;

function page(content: ReturnType<typeof asked>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Verification (sandbox)</title>
        <style>
          :root {
            color-scheme: light dark;
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
          body {
            max-width: 28rem;
            margin: 15vh auto;
            padding: 0 20px;
          }
          button {
            font: inherit;
            font-weight: 600;
            min-height: 48px;
            width: 100%;
            border: 0;
            border-radius: 10px;
            background: oklch(0.88 0.2 118);
            color: oklch(0.17 0.006 250);
          }
        </style>
      </head>
      <body>
        <main aria-label="Selfie">${content}</main>
      </body>
    </html>`;
}
