import { Hono } from "hono";

/**
 * Microsoft Clarity's script: it takes the calls that were made before it was here, sends what it records, and stops when it
 * is told to. It throws for a command that it doesn't know, and drops without a word, as the original does, a variable
 * that isn't a string of fewer than 255 letters, and everything after its stop. A test reads its records in
 * `window.sandboxRecording`.
 */
const SCRIPT = `(() => {
  const waiting = (window.clarity && window.clarity.q) || [];
  const calls = (window.sandboxRecording = []);
  let isOn = true;
  const send = (what) =>
    void fetch(new URL("../collect", script), { method: "POST", body: JSON.stringify(what) }).catch(() => {});
  const script = document.currentScript.src;
  const record = (event) => isOn && send({ event: event.type });
  const isWord = (value) => typeof value === "string" && value !== "" && value.length < 255;
  const isKept = {
    identify: ([id]) => isWord(id),
    set: ([key, value]) => isWord(key) && (Array.isArray(value) ? value : [value]).every(isWord),
    consentv2: ([storage]) => [storage?.ad_Storage, storage?.analytics_Storage].every((word) => ["granted", "denied"].includes(word)),
    stop: () => true,
  };
  window.clarity = (command, ...given) => {
    if (!Object.hasOwn(isKept, command)) throw new TypeError(command + " is not a function");
    if (!isOn || !isKept[command](given)) return void calls.push(["dropped " + command, ...given]);
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
