import { Hono } from "hono";

/** The demo driver that `npm run dev` creates. */
const DEMO = { phoneNumber: "+15550100100", password: "Jornada-1-demo" };

/**
 * A page that signs a driver in, stores the session as the Cognito library would and opens the dashboard, or the screen
 * `to`: the demo driver by password if the embedded pool is used, else the given driver by a token from the sandbox's pool.
 */
export function signInRoutes() {
  return new Hono().get("/sandbox/sign-in", (c) => {
    const sub = c.req.query("sub");
    const phoneNumber = c.req.query("phone");
    return c.html(
      page(sub && phoneNumber ? { sub, phoneNumber } : DEMO, c.req.query("to") ?? "/flex/dashboard"),
    );
  });
}

function page(person: Record<string, string>, to: string): string {
  // Always of this origin.
  const { pathname, search } = new URL(to, "https://jornada.example");
  const [given, path] = [person, pathname + search].map((value) =>
    JSON.stringify(value).replaceAll("<", "\\u003c"),
  );
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
const ask = async (address, body, target) => {
  const headers = { "content-type": "application/json", "x-amz-target": "AWSCognitoIdentityProviderService." + target };
  return (await fetch(address, { method: "POST", headers, body: JSON.stringify(body) })).json();
};
const byPassword = async () => {
  const AuthParameters = { USERNAME: person.phoneNumber, PASSWORD: person.password };
  const order = { ClientId: clientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
  return (await ask(endpoint, order, "InitiateAuth")).AuthenticationResult;
};
const byToken = async () => {
  const order = { ...person, clientId, issuer: new URL(poolId, endpoint).href, expiresIn: 43200 };
  const { idToken, accessToken } = await ask("/sandbox/identity/token", order, "");
  return { IdToken: idToken, AccessToken: accessToken };
};
const tokens = await (person.password ? byPassword() : byToken());
const payload = tokens.IdToken.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
const { sub } = JSON.parse(atob(payload));
const prefix = "CognitoIdentityServiceProvider." + clientId;
localStorage.setItem(prefix + ".LastAuthUser", sub);
for (const [name, token] of Object.entries({ idToken: tokens.IdToken, accessToken: tokens.AccessToken, refreshToken: tokens.RefreshToken })) {
  if (token) localStorage.setItem(prefix + "." + sub + "." + name, token);
}
location.replace(${path});
</script>
</html>`;
}
