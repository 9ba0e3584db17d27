import { beforeEach, expect, it } from "vitest";
import { openPoolHarness, newPhone, PASSWORD, type PoolHarness } from "./harness.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let harness: PoolHarness;
let warned: string[];
beforeEach(async () => {
  warned = [];
  harness = await openPoolHarness({ onGuessLock: async (id) => void warned.push(id) });
});

const LOCKED = "Password attempts exceeded";

/** A browser keeps its cookie. */
class Browser {
  cookie: string | undefined;
  async call(operation: string, body: object): Promise<{ message: unknown; retryAfter: number | null }> {
    const more = this.cookie === undefined ? {} : { cookie: this.cookie };
    const input = { ClientId: harness.clientId, ...body };
    const response = await harness.call(operation, input, undefined, more);
    this.cookie = response.headers.get("set-cookie")?.split(";")[0] ?? this.cookie;
    const retryAfter = response.headers.get("retry-after");
    return {
      message: response.status === 200 ? "done" : response.body["message"],
      retryAfter: retryAfter === null ? null : Number(retryAfter),
    };
  }
  signIn(phone: string, password: string) {
    const AuthParameters = { USERNAME: phone, PASSWORD: password };
    return this.call("InitiateAuth", { AuthFlow: "USER_PASSWORD_AUTH", AuthParameters });
  }
}

/** Guesses as fast as the pool lets it for a while, always right after a lock ends. @returns how many were checked */
async function guessFor(
  lengthMs: number,
  guess: () => Promise<{ message: unknown; retryAfter: number | null }>,
) {
  let checked = 0;
  for (let left = lengthMs; left > 0;) {
    const { message, retryAfter } = await guess();
    if (message !== LOCKED) {
      checked += 1;
      continue;
    }
    const waitMs = (retryAfter ?? 1) * 1000;
    harness.advanceClock(waitMs);
    left -= waitMs;
  }
  return checked;
}

/** Guesses until a lock lasts for most of a day. @returns the browser that guessed */
async function lockOut(phone: string): Promise<Browser> {
  const stranger = new Browser();
  for (;;) {
    const { message, retryAfter } = await stranger.signIn(phone, "Wrong-1-password");
    if (message !== LOCKED) continue;
    if ((retryAfter ?? 0) >= 16 * 3600) return stranger;
    harness.advanceClock((retryAfter ?? 1) * 1000);
  }
}

it("lets strangers guess some thirty passwords in a week, of an unknown number as of a known one", async () => {
  const { phone } = await harness.register();
  for (const name of [phone, newPhone()]) {
    const stranger = new Browser();
    const checked = await guessFor(7 * DAY_MS, () => stranger.signIn(name, "Wrong-1-password"));
    expect(checked).toBe(30);
  }
});

it("lets strangers guess no faster from many places at once", async () => {
  const { phone } = await harness.register();
  const stranger = new Browser();
  for (let i = 0; i < 19; i++) {
    expect((await stranger.signIn(phone, "Wrong-1-password")).message).not.toBe(LOCKED);
    harness.advanceClock(15 * MINUTE_MS);
  }
  const results = await Promise.all(
    Array.from({ length: 10 }, () => new Browser().signIn(phone, "Wrong-1-password")),
  );
  expect(results.filter(({ message }) => message !== LOCKED)).toHaveLength(1);
  expect(results.find(({ message }) => message === LOCKED)?.retryAfter).toBe(3600);
});

it("counts passwords and codes together", async () => {
  const { phone } = await harness.register();
  const start = { AuthFlow: "CUSTOM_AUTH", AuthParameters: { USERNAME: phone } };
  for (let round = 0; round < 4; round++) {
    const { body } = await harness.call("InitiateAuth", { ClientId: harness.clientId, ...start });
    const ANSWER = harness.codeFor(phone) === "000000" ? "000001" : "000000";
    for (let i = 0; i < 4; i++) await harness.respond(body, { USERNAME: phone, ANSWER });
    await new Browser().signIn(phone, "Wrong-1-password");
    if (round < 3) harness.advanceClock(HOUR_MS);
  }
  expect(await new Browser().signIn(phone, PASSWORD)).toEqual({ message: LOCKED, retryAfter: 3600 });
});

it("tells the owner when it locks", async () => {
  const { phone, sub } = await harness.register();
  await lockOut(phone);
  expect(new Set(warned)).toEqual(new Set([sub]));
});

it("comes down by one guess a day without any", async () => {
  const { phone } = await harness.register();
  const stranger = await lockOut(phone);
  harness.advanceClock(30 * DAY_MS);
  for (let i = 0; i < 19; i++) {
    expect((await stranger.signIn(phone, "Wrong-1-password")).message).not.toBe(LOCKED);
    harness.advanceClock(15 * MINUTE_MS);
  }
  await stranger.signIn(phone, "Wrong-1-password");
  expect((await stranger.signIn(phone, PASSWORD)).retryAfter).toBe(3600);
});

it("keeps a browser in that its owner signed in to before, whatever strangers guess", async () => {
  const { phone } = await harness.register();
  const own = new Browser();
  await own.signIn(phone, PASSWORD);
  const stranger = await lockOut(phone);
  expect((await stranger.signIn(phone, PASSWORD)).message).toBe(LOCKED);
  expect((await own.signIn(phone, "Mistyped-1")).message).toBe("Incorrect username or password.");
  expect((await own.signIn(phone, PASSWORD)).message).toBe("done");
  // Its own sign-in gives strangers no new round.
  expect((await stranger.signIn(phone, PASSWORD)).message).toBe(LOCKED);
});

it("gives five browsers from before a change of the password no more guesses than one stranger", async () => {
  const { phone, password } = await harness.register();
  const known = Array.from({ length: 5 }, () => new Browser());
  for (const browser of known) await browser.signIn(phone, password);
  const { AccessToken } = await harness.signIn({ phone, password });
  const change = { AccessToken, PreviousPassword: password, ProposedPassword: "Other-2-password" };
  expect((await new Browser().call("ChangePassword", change)).message).toBe("done");
  let turn = 0;
  const guess = () => {
    turn += 1;
    return (known[turn % known.length] ?? new Browser()).signIn(phone, "Wrong-1-password");
  };
  expect(await guessFor(7 * DAY_MS, guess)).toBe(30);
});

it("gives a browser that knows the account no more guesses than a stranger, and no other account's", async () => {
  const [one, other] = [await harness.register(), await harness.register()];
  const known = new Browser();
  await known.signIn(one.phone, PASSWORD);
  expect(await guessFor(7 * DAY_MS, () => known.signIn(one.phone, "Wrong-1-password"))).toBe(30);
  await lockOut(other.phone);
  expect((await known.signIn(other.phone, PASSWORD)).message).toBe(LOCKED);
});

it("takes a forged cookie for a stranger's", async () => {
  const { phone } = await harness.register();
  await lockOut(phone);
  for (const cookie of ["__Secure-known-browser=x", "__Secure-known-browser=v1.test.a.b", "other=1", ""]) {
    const forger = new Browser();
    forger.cookie = cookie;
    expect((await forger.signIn(phone, PASSWORD)).message).toBe(LOCKED);
  }
});

it("lets the owner back in by a code to the phone, while strangers guess", async () => {
  const { phone } = await harness.register();
  await lockOut(phone);
  const owner = new Browser();
  await owner.call("ForgotPassword", { Username: phone });
  const ConfirmationCode = longCodeFor(phone);
  expect(ConfirmationCode).toMatch(/^\d{10}$/);
  // Strangers don't use the tries at a long code up.
  for (let network = 0; network < 10; network++) {
    for (let i = 0; i < 5; i++) {
      const guess = { Username: phone, ConfirmationCode: "0000000000", Password: "Other-2-password" };
      await harness.call(
        "ConfirmForgotPassword",
        { ClientId: harness.clientId, ...guess },
        `203.0.113.${network}`,
      );
    }
  }
  const reset = { Username: phone, ConfirmationCode, Password: "Other-2-password" };
  expect((await owner.call("ConfirmForgotPassword", reset)).message).toBe("done");
  expect((await owner.signIn(phone, "Other-2-password")).message).toBe("done");
});

it("makes codes long once twenty of an account or a number were wrong", async () => {
  const Username = newPhone();
  const signUp = { ClientId: harness.clientId, Username, Password: PASSWORD };
  await harness.call("SignUp", signUp);
  expect(longCodeFor(Username)).toMatch(/^\d{6}$/);
  const wrong = harness.codeFor(Username) === "000000" ? "000001" : "000000";
  for (let i = 0; i < 20; i++) {
    const guess = { ClientId: harness.clientId, Username, ConfirmationCode: wrong };
    await harness.call("ConfirmSignUp", guess, `203.0.113.${i}`);
  }
  harness.advanceClock(HOUR_MS);
  await harness.call("ResendConfirmationCode", { ClientId: harness.clientId, Username });
  const ConfirmationCode = longCodeFor(Username);
  expect(ConfirmationCode).toMatch(/^\d{10}$/);
  const owner = new Browser();
  expect((await owner.call("ConfirmSignUp", { Username, ConfirmationCode })).message).toBe("done");
  await owner.call("ForgotPassword", { Username });
  expect(longCodeFor(Username)).toMatch(/^\d{6}$/);
});

it("says when a lock ends in a header, and keeps the protocol's words", async () => {
  const { phone } = await harness.register();
  const stranger = new Browser();
  for (let i = 0; i < 5; i++)
    expect((await stranger.signIn(phone, "Wrong-1-password")).retryAfter).toBeNull();
  expect(await stranger.signIn(phone, PASSWORD)).toEqual({ message: LOCKED, retryAfter: 1 });
});

it("keeps the guesses of who holds a session apart, and lets them grow over days too", async () => {
  const { phone, password } = await harness.register();
  const { AccessToken } = await harness.signIn({ phone, password });
  const change = { AccessToken, PreviousPassword: "Wrong-1-password", ProposedPassword: "Other-2-password" };
  let checked = 0;
  // The access token lives for an hour.
  for (let waited = 0; waited < 58; waited++) {
    const { body } = await harness.call("ChangePassword", change);
    if (body["__type"] === "NotAuthorizedException") checked += 1;
    harness.advanceClock(MINUTE_MS);
  }
  expect(checked).toBe(20);
  expect((await new Browser().signIn(phone, PASSWORD)).message).toBe("done");
});

it("deletes what it counted with the account", async () => {
  const { phone, password } = await harness.register();
  const own = new Browser();
  await own.signIn(phone, PASSWORD);
  await own.signIn(phone, "Wrong-1-password");
  await new Browser().signIn(phone, "Wrong-1-password");
  const { AccessToken } = await harness.signIn({ phone, password });
  await harness.call("ChangePassword", { AccessToken, PreviousPassword: "x1", ProposedPassword: PASSWORD });
  expect(await harness.count("guesses")).toBe(3);
  await harness.call("DeleteUser", { AccessToken });
  expect(await harness.count("guesses")).toBe(0);
});

/** The code in the last text to a number, however long. */
function longCodeFor(phone: string): string {
  return /\d{6,}/.exec(harness.texts.findLast(({ to }) => to === phone)?.body ?? "")?.[0] ?? "none";
}
