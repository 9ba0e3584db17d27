import { Hono } from "hono";

/** Chatwoot's SDK: a frame with the chat, and calls that are kept in `window.sandboxChat` for a test to read. */
const SDK = `(() => {
  const calls = (window.sandboxChat = []);
  // The account's labels, which its operator made.
  const LABELS = ["jornada"];
  let hasConversation = false;
  const note = (name) => (...given) => void calls.push([name, ...given]);
  window.chatwootSDK = {
    run({ baseUrl, websiteToken }) {
      calls.push(["run", websiteToken]);
      const style = document.createElement("style");
      style.textContent =
        ".woot-widget-holder { position: fixed; right: 20px; bottom: 20px; width: 340px; height: 420px; z-index: 50; box-shadow: 0 5px 40px rgba(0, 0, 0, .16) }" +
        ".woot-widget-holder iframe { border: 0; width: 100%; height: 100%; background: white }" +
        ".woot-widget-bubble { position: fixed; right: 20px; bottom: 20px; width: 64px; height: 64px; z-index: 50; border-radius: 32px; background: #1f93ff }" +
        ".unread-notification::after { content: ''; position: absolute; top: 4px; right: 4px; width: 12px; height: 12px; border-radius: 6px; background: #ff4040 }" +
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
      const bubble = Object.assign(document.createElement("button"), {
        type: "button",
        title: "Open chat window",
        className: "woot-widget-bubble woot-elements--right",
      });
      if (!window.chatwootSettings?.hideMessageBubble) document.body.append(bubble);
      bubble.addEventListener("click", () => window.$chatwoot.toggle("open"));
      // From the frame, as in the original: the visitor wrote, or what was there when it loaded.
      window.addEventListener("message", ({ source, data }) => {
        if (source !== frame.contentWindow || !data.sandboxChat) return;
        hasConversation ||= data.hasConversation;
        bubble.classList.toggle("unread-notification", data.unread > 0);
        if (data.sandboxChat === "message")
          window.dispatchEvent(new CustomEvent("chatwoot:on-message", { detail: {} }));
      });
      window.$chatwoot = {
        ...window.chatwootSettings,
        hasLoaded: false,
        setUser(...given) {
          calls.push(["setUser", ...given]);
          document.cookie = "cw_user_" + websiteToken + "=hash; path=/; max-age=31536000";
        },
        setCustomAttributes: note("setCustomAttributes"),
        // The original answers 204 and does nothing without a conversation, or with a label that the account doesn't have.
        setLabel(label) {
          calls.push([hasConversation && LABELS.includes(label) ? "setLabel" : "dropped label", label]);
        },
        setLocale: note("setLocale"),
        toggle(state) {
          calls.push(["toggle", state]);
          holder.classList.toggle("woot--hide", state === "close");
          if (state === "open") bubble.classList.remove("unread-notification");
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

const widget = (unread: number) => `<!doctype html><html lang="en"><title>Chat</title>
<p>The sandbox's support chat.</p><button type="button">Send a message</button>
<script>
  const told = (event) => parent.postMessage({
    sandboxChat: event, hasConversation: localStorage.getItem("conversation") !== null, unread: event === "loaded" ? ${unread} : 0,
  }, "*");
  told("loaded");
  document.querySelector("button").addEventListener("click", () => {
    localStorage.setItem("conversation", "1");
    told("message");
  });
</script></html>`;

/** A Chatwoot installation: the script that pages load, the frame that it opens, and an agent's reply. */
export function chatwootRoutes() {
  let unread = 0;
  return new Hono()
    .get("/sandbox/chatwoot/packs/js/sdk.js", (c) =>
      c.body(SDK, 200, { "content-type": "text/javascript; charset=utf-8" }),
    )
    .get("/sandbox/chatwoot/widget", (c) => c.html(widget(unread)))
    .post("/sandbox/chatwoot/reply", (c) => {
      unread += 1;
      return c.json({ unread }, 200);
    });
}
