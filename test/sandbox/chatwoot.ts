import { Hono } from "hono";
import { z } from "zod";

/** The website and its key, as the installation's operator reads them in its settings. Both are what development has, too. */
const WEBSITE_TOKEN = "sandbox";
const HMAC_KEY = "sandbox";

/**
 * Chatwoot's SDK: a frame with the chat, and calls that are kept in `window.sandboxChat` for a test to read. It throws
 * where the original throws, loses what is called before the frame has loaded, and drops what its server drops.
 */
const SDK = `(() => {
  const calls = (window.sandboxChat = []);
  // The account's labels, which its operator made.
  const LABELS = ["jornada"];
  const cookieOf = (name) => document.cookie.split("; ").find((pair) => pair.startsWith(name + "="))?.slice(name.length + 1);
  // With the page: a browser may keep storage from a frame of another site.
  let hasConversation = cookieOf("sandbox_conversation") === "1";
  window.chatwootSDK = {
    run({ baseUrl, websiteToken }) {
      if (window.$chatwoot) return;
      calls.push(["run", websiteToken]);
      const style = document.createElement("style");
      style.textContent =
        ".woot-widget-holder { position: fixed; right: 20px; bottom: 20px; width: 340px; height: 420px; z-index: 50; box-shadow: 0 5px 40px rgba(0, 0, 0, .16) }" +
        ".woot-widget-holder iframe { border: 0; width: 100%; height: 100%; background: white }" +
        ".woot-widget-bubble { position: fixed; right: 20px; bottom: 20px; width: 64px; height: 64px; z-index: 50; border-radius: 32px; background: #1f93ff }" +
        ".unread-notification::after { content: ''; position: absolute; top: 4px; right: 4px; width: 12px; height: 12px; border-radius: 6px; background: #ff4040 }" +
        "@media (max-width: 667px) { .woot--close { visibility: hidden !important } }" +
        ".woot--hide { display: none !important }";
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
      bubble.addEventListener("click", () => window.$chatwoot.toggle("open"));
      // On screens wider than 667 px nothing else closes the chat; on others its frame has a button of its own.
      const closeBubble = Object.assign(document.createElement("button"), {
        type: "button",
        title: "Close chat window",
        className: "woot-elements--right woot-widget-bubble woot--close woot--hide",
      });
      closeBubble.addEventListener("click", () => window.$chatwoot.toggle("close"));
      const userCookie = "cw_user_" + websiteToken;
      // To the frame, which isn't there to hear it before it has loaded.
      const send = (name, ...given) => {
        const isHeard = window.$chatwoot.hasLoaded;
        calls.push([isHeard ? name : "lost " + name, ...given]);
        if (isHeard) frame.contentWindow.postMessage({ sandboxChat: name, given }, "*");
        return isHeard;
      };
      const requireKeys = (attributes) => {
        if (!attributes || Object.keys(attributes).length === 0) throw new Error("Custom attributes should have atleast one key");
      };
      // From the frame, as in the original: it has loaded, the visitor wrote, or the server refused something.
      window.addEventListener("message", ({ source, data }) => {
        if (source !== frame.contentWindow || !data.sandboxChat) return;
        if (data.sandboxChat === "refused") return void calls.push(["refused " + data.name, data.status]);
        if (data.sandboxChat === "message") {
          hasConversation = true;
          document.cookie = "sandbox_conversation=1; path=/; max-age=31536000";
        }
        bubble.classList.toggle("unread-notification", data.unread > 0);
        if (data.sandboxChat === "message") window.dispatchEvent(new CustomEvent("chatwoot:on-message", { detail: {} }));
        if (data.sandboxChat !== "loaded" || window.$chatwoot.hasLoaded) return;
        if (!window.$chatwoot.hideMessageBubble) document.body.append(bubble, closeBubble);
        window.$chatwoot.hasLoaded = true;
        document.cookie = "cw_conversation=sandbox; path=/; max-age=31536000";
        window.dispatchEvent(new CustomEvent("chatwoot:ready"));
      });
      window.$chatwoot = {
        ...window.chatwootSettings,
        hasLoaded: false,
        isOpen: false,
        setUser(identifier, user) {
          if (typeof identifier !== "string" && typeof identifier !== "number")
            throw new Error("Identifier should be a string or a number");
          if (!["avatar_url", "email", "name"].some((key) => user[key]))
            throw new Error("User object should have one of the keys [avatar_url, email, name]");
          // A user whom the cookie knows is not sent again.
          const hash = encodeURIComponent(["avatar_url", "email", "name", "identifier_hash"].map((key) => user[key] ?? "").join() + identifier);
          if (cookieOf(userCookie) === hash) return void calls.push(["known user", identifier]);
          send("setUser", identifier, user);
          document.cookie = userCookie + "=" + hash + "; path=/; max-age=31536000";
        },
        setCustomAttributes(attributes) {
          requireKeys(attributes);
          send("setCustomAttributes", attributes);
        },
        // The original answers 204 and does nothing without a conversation, or with a label that the account doesn't have.
        setLabel(label) {
          if (!window.$chatwoot.hasLoaded) calls.push(["lost setLabel", label]);
          else calls.push([hasConversation && LABELS.includes(label) ? "setLabel" : "dropped label", label]);
        },
        setLocale(locale) { send("setLocale", locale); },
        toggle(state) {
          calls.push(["toggle", state]);
          const isOpen = state === "open" ? true : state === "close" ? false : !window.$chatwoot.isOpen;
          window.$chatwoot.isOpen = isOpen;
          holder.classList.toggle("woot--hide", !isOpen);
          bubble.classList.toggle("woot--hide", isOpen);
          closeBubble.classList.toggle("woot--hide", !isOpen);
          if (isOpen) bubble.classList.remove("unread-notification");
        },
        toggleBubbleVisibility(visibility) { bubble.classList.toggle("woot--hide", visibility === "hide"); },
        reset() {
          calls.push(["reset"]);
          if (window.$chatwoot.isOpen) window.$chatwoot.toggle();
          for (const name of ["cw_conversation", userCookie]) document.cookie = name + "=; path=/; max-age=0";
        },
      };
    },
  };
})();`;

const widget = (unread: number) => `<!doctype html><html lang="en"><title>Chat</title>
<p>The sandbox's support chat.</p><button type="button">Send a message</button>
<script>
  const told = (event, more) => parent.postMessage({
    sandboxChat: event, unread: event === "loaded" ? ${unread} : 0, ...more,
  }, "*");
  addEventListener("message", async ({ data }) => {
    if (data.sandboxChat !== "setUser") return;
    const [identifier, user] = data.given;
    const answer = await fetch("contact", { method: "POST", body: JSON.stringify({ identifier, ...user }) });
    if (!answer.ok) told("refused", { name: data.sandboxChat, status: answer.status });
  });
  told("loaded");
  document.querySelector("button").addEventListener("click", () => {
    told("message");
  });
</script></html>`;

const contact = z.looseObject({ identifier: z.string(), identifier_hash: z.optional(z.string()) });

/**
 * A Chatwoot installation that demands signed identities: the script that pages load, the frame that it opens, and an agent's
 * reply. It has no widget for a token that it doesn't know, and takes no contact without the signature of their identifier.
 */
export function chatwootRoutes() {
  let unread = 0;
  return new Hono()
    .get("/sandbox/chatwoot/packs/js/sdk.js", (c) =>
      c.body(SDK, 200, { "content-type": "text/javascript; charset=utf-8" }),
    )
    .get("/sandbox/chatwoot/widget", (c) => {
      if (c.req.query("website_token") !== WEBSITE_TOKEN) return c.text("web widget does not exist", 404);
      return c.html(widget(unread));
    })
    .post("/sandbox/chatwoot/contact", async (c) => {
      const given = contact.safeParse(await c.req.json());
      if (!given.success) return c.json({ error: "Identifier is missing" }, 422);
      if (given.data.identifier_hash !== (await sign(given.data.identifier)))
        return c.json({ error: "HMAC failed: Invalid Identifier Hash Provided" }, 401);
      return c.json({ hmac_verified: true }, 200);
    })
    .post("/sandbox/chatwoot/reply", (c) => {
      unread += 1;
      return c.json({ unread }, 200);
    });
}

async function sign(identifier: string): Promise<string> {
  const text = (words: string) => new TextEncoder().encode(words);
  const key = await crypto.subtle.importKey("raw", text(HMAC_KEY), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, text(identifier)));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
