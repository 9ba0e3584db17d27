/** The part of the card's frame that knows the customer: kept cards to choose and remove, and a box to keep a new one. */
export const SAVED_CARDS_SCRIPT = String.raw`
const BRAND_NAMES = { visa: "Visa", mastercard: "Mastercard", amex: "American Express", discover: "Discover" };
const sessionAddress = "/sandbox/stripe/v1/customer_sessions/own";
let session = null;
let kept = [];
const wanted = () => { const chosen = document.querySelector('input[name="kept"]:checked'); return chosen && chosen.value !== "new" ? chosen.value : null; };

/** Reads the session once. Answers with Stripe's complaint where usage and session contradict each other. */
async function openSession() {
  if (!setup.session) return null;
  const { error, intent: read } = await call(sessionAddress, "GET", { key: setup.key, client_secret: setup.session });
  if (error) return { type: "invalid_request_error", message: error.message || "The customer session can't be used." };
  const { save, saveUsage } = read.features;
  const integration = (message) => ({ type: "invalid_request_error", message: "IntegrationError: " + message });
  if (saveUsage && setup.usage) return integration("You can't set both payment_method_save_usage on the CustomerSession and setup_future_usage.");
  if (save && !saveUsage && !setup.usage) return integration("Enabling payment_method_save needs payment_method_save_usage or setup_future_usage.");
  session = read.features;
  kept = read.payment_methods;
  showKept();
  return null;
}

function showKept() {
  const words = WORDS[setup.language];
  const place = at("kept");
  place.replaceChildren();
  place.hidden = kept.length === 0;
  const option = (value, text) => {
    const label = document.createElement("label");
    label.className = "Kept";
    const radio = Object.assign(document.createElement("input"), { type: "radio", name: "kept", value });
    radio.addEventListener("change", chooseKept);
    label.append(radio, document.createTextNode(text));
    return label;
  };
  for (const { id, card } of kept) {
    const name = (BRAND_NAMES[card.brand] || card.brand) + " •••• " + card.last4;
    const row = document.createElement("div");
    row.className = "KeptRow";
    row.append(option(id, name));
    if (session.remove) {
      const remove = Object.assign(document.createElement("button"), { type: "button", textContent: words.remove });
      remove.setAttribute("aria-label", words.remove + " " + name);
      remove.addEventListener("click", () => removeKept(id));
      row.append(remove);
    }
    place.append(row);
  }
  if (kept.length > 0) {
    place.append(option("new", words.newCard));
    place.querySelector("input").checked = true;
  }
  chooseKept();
}

async function removeKept(id) {
  const { error } = await call("/sandbox/stripe/v1/payment_methods/" + id + "/detach", "POST", { key: setup.key, client_secret: setup.session });
  if (error) return;
  kept = kept.filter((method) => method.id !== id);
  showKept();
}

function chooseKept() {
  const isNew = wanted() === null;
  at("fields").hidden = !isNew;
  at("save-field").hidden = !isNew || !session || !session.save;
  at("mandate").hidden = !isNew || setup.usage !== "off_session";
  fit();
  change();
}

function wordKept() {
  const words = WORDS[setup.language];
  at("save-label").textContent = words.save;
  at("mandate").textContent = words.mandate;
}

/** The addition of the chosen card, or of the box beside a new one, to the confirmation. */
function keptParams() {
  const chosen = wanted();
  if (chosen !== null) return { payment_method: chosen };
  if (session && session.save && at("save").checked)
    return { "payment_method_data[allow_redisplay]": "always", ...(session.saveUsage ? { setup_future_usage: session.saveUsage } : {}) };
  return {};
}

/** Stripe refuses an intent that is for another use than the group was made for. */
async function usageFault(secret) {
  if (!setup.session && !setup.usage) return null;
  const { error, intent } = await call(addressOf(secret), "GET", { key: setup.key, client_secret: secret });
  if (error) return error;
  return (intent.setup_future_usage || null) === (setup.usage || null) ? null
    : { type: "invalid_request_error", message: "IntegrationError: the setup_future_usage of the PaymentIntent and of Elements differ." };
}
`;
