import { Hono } from "hono";

/** The driver whom `npm run dev` prepares. */
const DEMO = { sub: "00000000-0000-4000-8000-000000000100", phoneNumber: "+15550100100" };

/** A page that signs the demo driver in, as the pool's client would leave the browser, and opens the dashboard. */
export function signInRoutes() {
  return new Hono().get("/sandbox/sign-in", (c) => {
    const sub = c.req.query("sub") ?? DEMO.sub;
    const phoneNumber = c.req.query("phone") ?? DEMO.phoneNumber;
    return c.html(page({ sub, phoneNumber }));
  });
}

function page(person: { sub: string; phoneNumber: string }): string {
  const given = JSON.stringify(person).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sandbox sign-in</title>
<p role="status">Signing in…</p>
<script type="module">
const person = ${given};
const { identity } = await (await fetch("/status/config")).json();
const { endpoint, poolId, clientId } = identity;
const order = { ...person, clientId, issuer: new URL(poolId, endpoint).href, expiresIn: 43200 };
const answer = await fetch("/sandbox/identity/token", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(order),
});
const { idToken, accessToken } = await answer.json();
const prefix = "CognitoIdentityServiceProvider." + clientId;
localStorage.setItem(prefix + ".LastAuthUser", person.sub);
localStorage.setItem(prefix + "." + person.sub + ".idToken", idToken);
localStorage.setItem(prefix + "." + person.sub + ".accessToken", accessToken);
location.replace("/flex/dashboard");
</script>
</html>`;
}
