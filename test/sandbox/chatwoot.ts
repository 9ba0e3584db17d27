import { Hono } from "hono";

/** Chatwoot's SDK: a frame with the chat, and calls that are kept in `window.sandboxChat` for a test to read. */
const SDK = `(() => {
  const calls = (window.sandboxChat = []);
  const note = (name) => (...given) => void calls.push([name, ...given]);
  window.chatwootSDK = {
    run({ baseUrl, websiteToken }) {
      calls.push(["run", websiteToken]);
      const style = document.createElement("style");
      style.textContent =
        ".woot-widget-holder { position: fixed; right: 20px; bottom: 20px; width: 340px; height: 420px; z-index: 50; box-shadow: 0 5px 40px rgba(0, 0, 0, .16) }" +
        ".woot-widget-holder iframe { border: 0; width: 100%; height: 100%; background: white }" +
        ".woot--hide { display: none }";
      document.body.append(style);
      const holder = Object.assign(document.createElement("div"), { className: "woot-widget-holder woot--hide" });
      const frame = Object.assign(document.createElement("iframe"), {
        id: "chatwoot_live_chat_widget",
        title: "Chat",
        src: baseUrl + "/widget?website_token=" + websiteToken,
      });
      holder.append(frame);
      document.body.append(holder);
      window.$chatwoot = {
        ...window.chatwootSettings,
        hasLoaded: false,
        setUser(...given) {
          calls.push(["setUser", ...given]);
          document.cookie = "cw_user_" + websiteToken + "=hash; path=/; max-age=31536000";
        },
        setCustomAttributes: note("setCustomAttributes"),
        setLabel: note("setLabel"),
        setLocale: note("setLocale"),
        toggle(state) {
          calls.push(["toggle", state]);
          holder.classList.toggle("woot--hide", state === "close");
        },
        reset() {
          calls.push(["reset"]);
          holder.classList.add("woot--hide");
        },
      };
      frame.addEventListener("load", () => {
        window.$chatwoot.hasLoaded = true;
        document.cookie = "cw_conversation=sandbox; path=/; max-age=31536000";
        window.dispatchEvent(new CustomEvent("chatwoot:ready"));
      });
    },
  };
})();`;

const WIDGET = `<!doctype html><html lang="en"><title>Chat</title><p>The sandbox's support chat.</p></html>`;

/** A Chatwoot installation: the script that pages load, and the frame that it opens. */
export function chatwootRoutes() {
  return new Hono()
    .get("/sandbox/chatwoot/packs/js/sdk.js", (c) =>
      c.body(SDK, 200, { "content-type": "text/javascript; charset=utf-8" }),
    )
    .get("/sandbox/chatwoot/widget", (c) => c.html(WIDGET));
}
