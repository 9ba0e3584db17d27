import { Hono } from "hono";
import type { Stage } from "./state.ts";

const PASS = /^sandbox-pass\.([\w-]+)\.([\w-]*)$/;

/** A secret key that no widget has. */
const UNKNOWN_SECRET = "sandbox-unknown";

/** Draws a box to tick, which makes a token that siteverify accepts once. */
const WIDGET = `(() => {
  const widgets = new Map();
  let count = 0;
  const draw = (id) => {
    const { box, options } = widgets.get(id);
    box.checked = false;
    box.onchange = () => {
      if (box.checked) options.callback("sandbox-pass." + crypto.randomUUID() + "." + (options.action ?? ""));
      else options["expired-callback"]?.();
    };
  };
  window.turnstile = {
    render(target, options) {
      const id = "sandbox-" + ++count;
      const label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox" });
      label.append(box, " I am a person (sandbox)");
      target.append(label);
      widgets.set(id, { box, options, label });
      draw(id);
      return id;
    },
    reset: (id) => draw(id),
    remove(id) {
      widgets.get(id)?.label.remove();
      widgets.delete(id);
    },
  };
})();`;

/** Cloudflare Turnstile: the widget's script, and the verification of its tokens. */
export function turnstileRoutes({ state, now }: Stage) {
  return new Hono()
    .get("/sandbox/turnstile/v0/api.js", (c) =>
      c.body(WIDGET, 200, { "content-type": "text/javascript; charset=utf-8" }),
    )
    .post("/sandbox/turnstile/v0/siteverify", async (c) => {
      const form = new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()));
      const refuse = (code: string) => c.json({ success: false, "error-codes": [code] }, 200);
      if (!form.get("secret")) return refuse("missing-input-secret");
      if (form.get("secret") === UNKNOWN_SECRET) return refuse("invalid-input-secret");
      const token = form.get("response") ?? "";
      if (token === "") return refuse("missing-input-response");
      const [, id, action] = PASS.exec(token) ?? [];
      if (id === undefined) return refuse("invalid-input-response");
      if (state.cursors.get(`turnstile:${id}`) !== undefined) return refuse("timeout-or-duplicate");
      state.cursors.set(`turnstile:${id}`, 1);
      const solvedAt = new Date(now()).toISOString();
      return c.json(
        { success: true, "error-codes": [], challenge_ts: solvedAt, hostname: "localhost", action },
        200,
      );
    });
}
