/** The calls of a frame of stripe.js to Stripe: an answer, or an error where there is none that can be read. */
export const BROWSER_CALL_SCRIPT = String.raw`
async function call(path, method, params) {
  const form = new URLSearchParams(params);
  const request = method === "GET" ? [path + "?" + form, {}] : [path, { method, body: form }];
  let answer;
  try { answer = await fetch(...request); } catch { return { error: { type: "api_connection_error" } }; }
  try {
    const read = await answer.json();
    return read.error ? { error: read.error } : { intent: read };
  } catch { return { error: { type: "api_error", message: "An unexpected error occurred." } }; }
}
const addressOf = (secret) => "/sandbox/stripe/v1/payment_intents/" + secret.split("_secret_")[0];
`;
