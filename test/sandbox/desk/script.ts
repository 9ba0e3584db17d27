/** A one-time code in a text: a word of its own, so neither an address's port nor a part of a phone number or a price. */
export const ONE_TIME_CODE = /(?<!\S)(?:\d{4,8}|\d{10})(?=[.,:;]?(?:\s|$))/;

/** The desk's browser code: fetches the whole world every second and renders what changed. */
export const SCRIPT = String.raw`
"use strict";
const at = (id) => document.getElementById(id);
const drawn = new Map();
let world = null;

async function call(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  const read = text === "" ? null : JSON.parse(text);
  if (!answer.ok) throw new Error((read && (read.detail || read.title)) || "Answered " + answer.status);
  return read;
}

let quiet;
function say(words) {
  at("said").textContent = words;
  clearTimeout(quiet);
  quiet = setTimeout(() => { at("said").textContent = ""; }, 4000);
}

async function act(words, deed) {
  try { await deed(); say(words); } catch (error) { say("Not done: " + error.message); }
  await refresh();
}

function make(tag, props, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children.filter((child) => child !== null));
  return node;
}
const line = (left, right, tone) => make("div", { className: "line" }, make("b", {}, left), make("span", { className: tone || "" }, right || ""));
const soft = (words) => make("div", { className: "soft" }, words);
const acts = (...buttons) => make("div", { className: "acts" }, ...buttons);
function button(words, key, deed) {
  const node = make("button", { type: "button", onclick: deed }, words);
  node.dataset.key = key;
  return node;
}

const money = (cents) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
const warehouseOf = (id) => world.warehouses.find((warehouse) => warehouse.warehouseId === id);
const nameOf = (id) => { const found = warehouseOf(id); return (found && found.name) || "Unnamed (" + id + ")"; };
const cityOf = (id) => world.regions.find((region) => region.regionId === warehouseOf(id).regionId).name;
const emailOf = (id) => { const found = world.drivers.find((driver) => driver.driverId === id); return found ? found.email : "unknown driver"; };
const clock = (at) => new Date(at).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", second: "2-digit" });
function shift(entry) {
  const zone = (warehouseOf(entry.warehouseId) || {}).timeZone;
  const start = new Date(entry.startsAt).toLocaleString("en-US", { timeZone: zone, weekday: "short", hour: "numeric", minute: "2-digit" });
  return start + ", " + (Date.parse(entry.endsAt) - Date.parse(entry.startsAt)) / 3600000 + " h";
}
function rate(entry) {
  const hours = (Date.parse(entry.endsAt) - Date.parse(entry.startsAt)) / 3600000;
  return money(Math.round(entry.pay.amount / hours)) + "/h";
}
function left(time) {
  const seconds = Math.max(0, Math.round((Date.parse(time) - world.now) / 1000));
  return seconds < 100 ? Math.ceil(seconds / 10) * 10 + " s left" : Math.round(seconds / 60) + " min left";
}

function draw(id, entries, view, key) {
  at(id + "-count").textContent = entries.length === 0 ? "" : String(entries.length);
  const mark = JSON.stringify(key);
  if (drawn.get(id) === mark) return;
  drawn.set(id, mark);
  const list = at(id);
  const held = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const top = list.scrollTop;
  list.replaceChildren(...(entries.length ? entries.slice(0, 60).map(view) : [make("li", { className: "empty" }, list.dataset.empty)]));
  list.scrollTop = top;
  if (list.scrollHeight > list.clientHeight) list.tabIndex = 0; else list.removeAttribute("tabindex");
  if (held) { const again = list.querySelector('[data-key="' + held + '"]'); if (again) again.focus(); }
}

function fill(select, options) {
  const mark = JSON.stringify(options);
  if (drawn.get(select) === mark) return;
  drawn.set(select, mark);
  const chosen = select.value;
  select.replaceChildren(...options.map(([group, entries]) => {
    const nodes = entries.map(([value, label]) => make("option", { value }, label));
    return group === null ? nodes : [make("optgroup", { label: group }, ...nodes)];
  }).flat());
  if (chosen) select.value = chosen;
}

const VIEWS = {
  offers: (offer) => make("li", {},
    line(nameOf(offer.warehouseId), money(offer.pay.amount) + (offer.surge ? ", surge" : ""), offer.surge ? "warn" : ""),
    soft(cityOf(offer.warehouseId) + " · " + shift(offer) + " · " + rate(offer) + " · " + left(offer.expiresAt)),
    acts(
      button("Pay $5 more", "raise " + offer.offerId, () => act("Pay raised.", () => call("PATCH", "/sandbox/platform/offers/" + offer.offerId, { payCents: offer.pay.amount + 500 }))),
      button("Withdraw", "withdraw " + offer.offerId, () => act("Offer withdrawn.", () => call("DELETE", "/sandbox/platform/offers/" + offer.offerId))))),
  sessions: (session) => make("li", {},
    line(session.email, STATES[session.state], session.state === "approval_required" ? "warn" : ""),
    soft(session.device.name),
    session.state !== "approval_required" ? null : acts(
      button("Approve", "approve " + session.sessionId, () => act("Device approved.", () => call("POST", "/sandbox/platform/sessions/" + session.sessionId + "/approve"))),
      button("Deny", "deny " + session.sessionId, () => act("Device denied.", () => call("POST", "/sandbox/platform/sessions/" + session.sessionId + "/deny"))))),
  texts: (text) => {
    const code = ${ONE_TIME_CODE}.exec(text.body);
    return make("li", {}, line(text.to, clock(text.at)), code ? make("span", { className: "code" }, code[0]) : null, soft(text.body));
  },
  numbers: ({ number, code, isStopped }) => make("li", {},
    line(number, [code === null ? "" : "fails with " + code, isStopped ? "sent STOP" : ""].filter(Boolean).join(" · "), "bad")),
  drivers: (driver) => make("li", {},
    line(driver.email, driver.linked ? "linked" : "signed out", driver.linked ? "good" : "bad"),
    soft(world.regions.find((region) => region.regionId === driver.regionId).name + (driver.verificationRequired ? " · selfie asked" : "")),
    acts(
      button(driver.verificationRequired ? "Ask no selfie" : "Require a selfie", "selfie " + driver.driverId, () => act("Done.", () => call("POST", "/sandbox/platform/drivers/" + driver.driverId + "/verification", { required: !driver.verificationRequired }))),
      button("Sign out", "out " + driver.driverId, () => act("Signed out.", () => call("POST", "/sandbox/platform/drivers/" + driver.driverId + "/sign-out"))))),
  accepts: (accept) => make("li", {},
    line(accept.status === 200 ? "Taken" : "Refused: " + (accept.code || accept.status), clock(accept.at), accept.status === 200 ? "good" : "bad"),
    soft(emailOf(accept.driverId) + " · " + accept.offerId + (accept.fault ? " · fault " + accept.fault : ""))),
  blocks: (block) => make("li", {},
    line(nameOf(block.warehouseId), money(block.pay.amount)),
    soft(shift(block) + " · " + rate(block) + " · " + block.status.replace("_", " ")), soft(emailOf(block.driverId))),
  payments: (intent) => {
    const path = "/sandbox/stripe/intents/" + intent.id;
    const charge = intent.latest_charge;
    const paid = intent.status === "succeeded";
    const back = paid ? charge.amount_refunded : 0;
    const open = intent.dispute && intent.dispute.status === "needs_response";
    const move = (words, deed, said, body) => button(words, deed + words + intent.id, () => act(said, () => call("POST", path + "/" + deed, body || {})));
    const deeds = paid
      ? [
          back < intent.amount && !open ? move("Refund", "refund", "Refunded.") : null,
          intent.dispute ? null : move("Dispute", "dispute", "Disputed."),
          open ? move("Won", "dispute", "The dispute is won.", { outcome: "won" }) : null,
          open ? move("Lost", "dispute", "The dispute is lost.", { outcome: "lost" }) : null,
        ]
      : intent.status === "processing"
        ? [move("Let it succeed", "settle", "Paid.", { outcome: "succeeded" }), move("Let it fail", "settle", "Failed.", { outcome: "failed" })]
        : intent.status === "requires_action"
          ? [move("Authenticate", "authenticate", "Authenticated.", { outcome: "complete" }), move("Refuse", "authenticate", "Refused.", { outcome: "fail" })]
          : intent.status === "canceled" ? [] : [move("Pay with 4242", "pay", "Paid."), move("Cancel", "cancel", "Canceled.")];
    const notes = [
      intent.customer ? intent.customer.name || intent.customer.email || intent.customer.id : "no customer",
      charge ? charge.payment_method_details.card.brand + " " + charge.payment_method_details.card.last4 : null,
      clock(intent.created * 1000),
      back ? money(back) + " refunded" : null,
      intent.dispute ? "dispute " + intent.dispute.status.replace("_", " ") : null,
      intent.last_payment_error ? intent.last_payment_error.decline_code || intent.last_payment_error.code : null,
    ].filter(Boolean);
    return make("li", {},
      line(money(intent.amount), intent.status.replaceAll("_", " "), paid ? (intent.dispute ? "warn" : "good") : intent.last_payment_error ? "bad" : ""),
      soft(notes.join(" · ")), deeds.length ? acts(...deeds.filter(Boolean)) : null);
  },
  events: (event) => make("li", {},
    line(event.type, POSTS[event.post], event.post === "delivered" ? "good" : event.post === "none" ? "" : "warn"),
    soft(clock(event.createdAt) + (event.tries.length ? " · " + event.tries.map((tried) => tried.status || "no answer").join(", ") : "")),
    event.post === "none" ? null : acts(button("Deliver again", "deliver " + event.id, () => act("Delivered.", async () => {
      const { status } = await call("POST", "/sandbox/stripe/events/" + event.id + "/deliver");
      if (status === null || status >= 300) throw new Error("the endpoint answered " + (status || "nothing"));
    })))),
  faults: (fault) => make("li", {},
    line(fault.fault, fault.timesLeft === null ? "until cleared" : fault.timesLeft + " left", "bad"),
    soft((fault.operation === "*" ? "every call" : fault.operation) + (fault.probability < 1 ? " · p " + fault.probability : ""))),
};
const STATES = { otp_required: "waits for the code", approval_required: "waits for approval", active: "linked", denied: "denied", expired: "expired" };
const POSTS = { none: "no endpoint", waiting: "on its way", held: "held", lost: "lost", delivered: "delivered", failed: "not taken" };
const newest = (entries) => entries.slice().reverse();

let known = false;
function fillWorld(settings) {
  if (known) return;
  known = true;
  const form = document.forms.world;
  const set = (name, value) => { form.elements[name].value = value === null ? "" : value; };
  form.elements.generate.checked = settings.generate;
  for (const name of ["tempo", "seed", "autoApproveMs"]) set(name, settings[name]);
  set("rivalsDelay", settings.rivals && settings.rivals.delayMs);
  set("rivalsShare", settings.rivals && settings.rivals.share);
  set("limit", settings.quotas.limit);
  set("windowSeconds", settings.quotas.windowSeconds);
  set("weeklyHours", settings.weeklyLimitMinutes / 60);
}

let mails = "";
function fillMails(settings) {
  const mark = JSON.stringify(settings);
  if (mails === mark) return;
  mails = mark;
  const { switches, delivery } = settings;
  document.forms.switches.elements.declineNext.value = switches.declineNext || "";
  document.forms.switches.elements.redirectNext.checked = switches.redirectNext;
  const form = document.forms.post.elements;
  for (const name of ["hold", "lose", "duplicate", "shuffle"]) form[name].checked = Boolean(delivery[name]);
  form.delayMs.value = delivery.delayMs;
  at("endpoint").textContent = settings.endpoint ? "They go to " + settings.endpoint.url : "They go nowhere: no endpoint is set.";
}

let asking = false;
async function refresh() {
  if (asking) return;
  asking = true;
  try {
    world = await call("GET", "/sandbox/platform/world");
    const [texts, accepts, faults, polls, intents, events, switches, delivery, endpoint, phones] = await Promise.all([
      call("GET", "/sandbox/sms"), call("GET", "/sandbox/platform/accepts"), call("GET", "/sandbox/faults"),
      call("GET", "/sandbox/platform/polls?since=" + (world.now - 60000)),
      call("GET", "/sandbox/stripe/intents"), call("GET", "/sandbox/stripe/events?last=60"), call("GET", "/sandbox/stripe/switches"),
      call("GET", "/sandbox/stripe/delivery"), call("GET", "/sandbox/stripe/endpoint"),
      call("GET", "/sandbox/sms/numbers"),
    ]);
    draw("payments", intents.intents, VIEWS.payments, intents.intents);
    draw("events", newest(events.events), VIEWS.events, events.events.map((event) => [event.id, event.post, event.tries.length]));
    fillMails({ switches, delivery, endpoint: endpoint.endpoint });
    const offers = newest(world.offers.slice().sort((one, other) => one.publishedAt - other.publishedAt));
    draw("offers", offers, VIEWS.offers, offers.map((offer) => [offer.offerId, offer.pay.amount, left(offer.expiresAt)]));
    const sessions = newest(world.sessions);
    draw("sessions", sessions, VIEWS.sessions, sessions.map((session) => [session.sessionId, session.state]));
    draw("texts", texts.messages, VIEWS.texts, texts.messages.map((text) => text.id));
    draw("numbers", phones.numbers, VIEWS.numbers, phones.numbers);
    draw("drivers", world.drivers, VIEWS.drivers, world.drivers);
    draw("accepts", newest(accepts.accepts), VIEWS.accepts, accepts.accepts);
    draw("blocks", newest(world.blocks), VIEWS.blocks, world.blocks);
    draw("faults", faults.faults, VIEWS.faults, faults.faults);
    const groups = world.regions.map((region) => [region.name, world.warehouses.filter((entry) => entry.regionId === region.regionId).map((entry) => [entry.warehouseId, nameOf(entry.warehouseId)])]);
    for (const select of document.querySelectorAll(".warehouses")) fill(select, groups);
    for (const select of document.querySelectorAll(".drivers")) fill(select, [[null, world.drivers.map((driver) => [driver.driverId, driver.email])]]);
    fillWorld(world.settings);
    const ago = polls.last === null ? "" : ", the last " + Math.max(0, Math.round((world.now - polls.last) / 1000)) + " s ago";
    at("pulse").className = "pulse" + (polls.count ? " live" : "");
    at("pulse-text").textContent = polls.count + (polls.count === 1 ? " poll" : " polls") + " in the last minute" + ago + " · " + clock(world.now) + (world.settings.now === null ? "" : " (the clock stands)");
  } catch (error) {
    at("pulse").className = "pulse lost";
    at("pulse-text").textContent = "The sandbox does not answer; trying again.";
  } finally { asking = false; }
}

function onSend(name, deed) {
  document.forms[name].addEventListener("submit", (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.target));
    deed(given);
  });
}
const figure = (text) => (text === "" ? undefined : Number(text));
const work = (given) => ({
  warehouseId: given.warehouseId,
  startsAt: new Date(Math.ceil((world.now + Number(given.startsIn) * 60000) / 60000) * 60000).toISOString(),
  minutes: Number(given.minutes),
  payCents: Math.round(Number(given.pay) * 100),
});

onSend("drop", (given) => act("Offer dropped.", () => call("POST", "/sandbox/platform/offers", work(given))));
onSend("hand", (given) => act("Block taken.", () => call("POST", "/sandbox/platform/blocks", { driverId: given.driverId, ...work(given) })));
onSend("fault", (given) => act("Fault injected.", () => call("POST", "/sandbox/faults", {
  operation: given.operation, fault: given.fault, times: figure(given.times), probability: figure(given.probability),
  retryAfter: figure(given.retryAfter), delayMs: figure(given.delayMs),
})));
onSend("phone", (given) => act("Saved.", () => call("POST", "/sandbox/sms/numbers", {
  number: given.number, code: given.code === "" ? null : Number(given.code),
})));
onSend("switches", (given) => act("Saved.", () => call("POST", "/sandbox/stripe/switches", {
  declineNext: given.declineNext || null, redirectNext: given.redirectNext === "on",
})));
onSend("post", (given) => act("Saved.", () => call("POST", "/sandbox/stripe/delivery", {
  hold: given.hold === "on", lose: given.lose === "on", duplicate: given.duplicate === "on", shuffle: given.shuffle === "on",
  delayMs: figure(given.delayMs),
})));
onSend("world", (given) => act("Saved.", () => call("POST", "/sandbox/world", {
  generate: given.generate === "on", tempo: figure(given.tempo), seed: figure(given.seed),
  rivals: given.rivalsDelay === "" || given.rivalsShare === "" ? null : { delayMs: Number(given.rivalsDelay), share: Number(given.rivalsShare) },
  quotas: { limit: Number(given.limit), windowSeconds: Number(given.windowSeconds) },
  autoApproveMs: given.autoApproveMs === "" ? null : Number(given.autoApproveMs),
  weeklyLimitMinutes: Number(given.weeklyHours) * 60,
})));
at("clear-faults").onclick = () => act("Faults cleared.", () => call("DELETE", "/sandbox/faults"));
at("reset").onclick = () => {
  if (confirm("Empty the world? Drivers, offers, blocks, texts and payments go.")) { known = false; act("The world is empty.", () => call("POST", "/sandbox/world", { reset: true })); }
};

async function live() {
  await refresh();
  setTimeout(live, 1000);
}
live();
`;
