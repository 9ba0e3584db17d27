import { Hono } from "hono";

/**
 * Microsoft Clarity's script: it takes the calls that were made before it was here, sends what it records, and stops when it
 * is told to. A test reads its records in `window.sandboxRecording`.
 */
const SCRIPT = `(() => {
  const waiting = (window.clarity && window.clarity.q) || [];
  const calls = (window.sandboxRecording = []);
  let isOn = true;
  const send = (what) =>
    void fetch(new URL("../collect", script), { method: "POST", body: JSON.stringify(what) }).catch(() => {});
  const script = document.currentScript.src;
  const record = (event) => isOn && send({ event: event.type });
  window.clarity = (command, ...given) => {
    calls.push([command, ...given]);
    if (command === "consentv2" && given[0].analytics_Storage === "granted")
      document.cookie = "_clck=sandbox; path=/; max-age=31536000";
    if (command === "stop") isOn = false;
  };
  for (const call of waiting) window.clarity(...call);
  addEventListener("click", record, { capture: true });
  send({ event: "start" });
})();`;

/** A session recorder: the script that pages load, and the address that it sends to. */
export function recordingRoutes() {
  return new Hono()
    .get("/sandbox/recording/tag/:id", (c) =>
      c.body(SCRIPT, 200, { "content-type": "text/javascript; charset=utf-8" }),
    )
    .post("/sandbox/recording/collect", (c) => c.body(null, 204, { "access-control-allow-origin": "*" }));
}
