import { FAULTS, OPERATIONS } from "../operations.ts";
import { DECLINES } from "../stripe/cards.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

const options = (values: readonly string[]) => values.map((value) => `<option>${value}</option>`).join("");

const field = (label: string, control: string) => `<label><span>${label}</span>${control}</label>`;

const number = (name: string, value: number | "", rest = "") =>
  `<input name="${name}" type="number" inputmode="decimal" value="${value}" ${rest}>`;

const card = (id: string, title: string, body: string) =>
  `<section class="card" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <span class="count" id="${id}-count"></span></h2>${body}</section>`;

const list = (id: string, title: string, empty: string) =>
  card(id, title, `<ul class="rows" id="${id}" data-empty="${empty}"><li class="empty">Loading…</li></ul>`);

const lengths = Array.from({ length: 11 }, (_, index) => 1 + index / 2)
  .map((hours) => `<option value="${hours * 60}"${hours === 3 ? " selected" : ""}>${hours} h</option>`)
  .join("");

const work = (startsIn: number, pay: number) =>
  field("Warehouse", `<select name="warehouseId" class="warehouses" required></select>`) +
  `<div class="pair">${field("Starts in (min)", number("startsIn", startsIn, 'min="0" required'))}${field("Length", `<select name="minutes">${lengths}</select>`)}</div>` +
  field("Pay ($)", number("pay", pay, 'min="0" step="0.5" required'));

const dropForm = card(
  "drop",
  "Drop an offer",
  `<form name="drop">${work(90, 90)}<button class="primary">Drop it now</button></form>`,
);

const handForm = card(
  "hand",
  "Take a block by hand",
  `<form name="hand">${field("Driver", `<select name="driverId" class="drivers" required></select>`)}${work(240, 75)}<button>Take it for the driver</button></form>`,
);

const faultForm = card(
  "faults",
  "Faults",
  `<form name="fault">
    ${field("Call", `<select name="operation"><option value="*">every call</option>${options(OPERATIONS.map(({ operation }) => operation))}</select>`)}
    ${field("What goes wrong", `<select name="fault">${options(FAULTS)}</select>`)}
    <div class="pair">${field("Times (empty: until cleared)", number("times", 1, 'min="1"'))}${field("Retry-After (s)", number("retryAfter", "", 'min="0"'))}</div>
    <div class="pair">${field("Probability", number("probability", 1, 'min="0" max="1" step="0.05"'))}${field("Hold (ms)", number("delayMs", "", 'min="0" max="120000"'))}</div>
    <button>Inject</button>
  </form>
  <ul class="rows" id="faults" data-empty="Nothing is broken."></ul>
  <button id="clear-faults">Clear all faults</button>`,
);

const worldForm = card(
  "world",
  "World",
  `<form name="world">
    <label class="check"><input type="checkbox" name="generate"><span>Offers drop by themselves</span></label>
    <div class="pair">${field("Tempo (×)", number("tempo", 1, 'min="0" max="100" step="0.1"'))}${field("Seed", number("seed", 1))}</div>
    <div class="pair">${field("Rivals take after (ms)", number("rivalsDelay", "", 'min="0"'))}${field("Share of offers (0–1)", number("rivalsShare", "", 'min="0" max="1" step="0.05"'))}</div>
    <p class="hint">Both empty: rivals as generated, none on offers dropped here.</p>
    <div class="pair">${field("Polls allowed", number("limit", 300, 'min="0"'))}${field("in (s)", number("windowSeconds", 60, 'min="1"'))}</div>
    <div class="pair">${field("Approve devices after (ms)", number("autoApproveMs", "", 'min="0"'))}${field("Weekly limit (h)", number("weeklyHours", 40, 'min="0" step="0.5"'))}</div>
    <p class="hint">No figure: a device waits for the desk.</p>
    <button>Save</button>
  </form>
  <button id="reset" class="danger">Empty the world…</button>`,
);

/** Why texts fail, by Twilio's error codes. */
const TEXT_FATES = [
  ["", "they arrive"],
  ["21614", "refused: not a mobile number (21614)"],
  ["30003", "undelivered: the phone can't be reached (30003)"],
  ["30005", "undelivered: nobody has the number (30005)"],
  ["30006", "undelivered: a landline (30006)"],
  ["30007", "undelivered: filtered by the carrier (30007)"],
] as const;
const fates = TEXT_FATES.map(([code, words]) => `<option value="${code}">${words}</option>`).join("");

const phoneForm = card(
  "numbers",
  "A number's texts",
  `<form name="phone">
    ${field("Number", `<input name="number" type="tel" value="+15550100100" required>`)}
    ${field("What becomes of them", `<select name="code">${fates}</select>`)}
    <p class="hint">The gateway itself goes down by a fault of the call sendMessage.</p>
    <button>Save</button>
  </form>
  <ul class="rows" id="numbers" data-empty="All texts arrive."></ul>`,
);

const check = (name: string, label: string) =>
  `<label class="check"><input type="checkbox" name="${name}"><span>${label}</span></label>`;

const cardForm = card(
  "switches",
  "The next card",
  `<form name="switches">
    ${field("Decline it for", `<select name="declineNext"><option value="">nothing: as its number says</option>${options(Object.keys(DECLINES))}</select>`)}
    ${check("redirectNext", "Its bank asks on a page of its own")}
    <button>Save</button>
  </form>`,
);

const postForm = card(
  "events",
  "Webhooks",
  `<form name="post">
    ${check("hold", "Hold them back")}${check("lose", "Lose them")}${check("duplicate", "Bring each twice")}${check("shuffle", "Bring the newest first")}
    ${field("Delay (ms)", number("delayMs", 0, 'min="0" max="120000"'))}
    <p class="hint" id="endpoint"></p>
    <button>Save</button>
  </form>
  <ul class="rows" id="events" data-empty="Nothing has happened yet."></ul>`,
);

/** The desk: one page without external resources. */
export const DESK = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandbox desk</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header>
  <p class="mark">Sandbox</p>
  <h1>The desk</h1>
  <p class="soft">It plays the delivery platform, the texts, Stripe and the rivals. Nothing here is real.</p>
  <p class="soft">The operator’s console: <a href="/sandbox/access?as=owner">sign in as owner</a> or <a href="/sandbox/access?as=support">as support</a>.</p>
  <p id="pulse" class="pulse"><span id="pulse-text">Connecting…</span></p>
</header>
<main>
  <div class="column">${dropForm}${list("offers", "Open offers", "No offer is open. Drop one.")}${list("payments", "Payments", "Nobody has chosen a plan yet.")}</div>
  <div class="column">${list("sessions", "Devices", "Nobody is linking an account.")}${list("texts", "Texts", "No text was sent yet.")}${phoneForm}${list("drivers", "Drivers", "No driver has linked yet.")}${handForm}${cardForm}${postForm}</div>
  <div class="column">${list("accepts", "Accepts", "No accept has arrived.")}${list("blocks", "Blocks", "Nobody holds a block.")}${faultForm}${worldForm}</div>
</main>
<p id="said" role="status" class="said"></p>
<script>${SCRIPT}</script>
</body>
</html>`;
